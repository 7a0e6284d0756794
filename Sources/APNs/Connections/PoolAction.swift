/// What a pool wants done.
public enum PoolAction: Equatable, Sendable {
    /// Open a connection, and report it as `connected` or `connectFailed`.
    case connect(ConnectionID)
    /// Send nothing more on a connection, and close it when its streams have ended. The pool has forgotten it.
    case retire(ConnectionID)
}

/// How a pool stands, for readiness and metrics.
public enum PoolStatus: Equatable, Sendable {
    /// Nothing was sent yet, or the last connection ended and nothing waits.
    case idle
    /// The first connection is being opened.
    case connecting
    /// There is a connection.
    case ready
    /// The last attempts failed; the next waits for its time.
    case unreachable
    /// No push is sent but one probe now and then.
    case held(HoldCause)
}

/// Why a pool sends nothing but probes.
public enum HoldCause: UInt8, Sendable {
    /// APNs refuses the credential.
    case credential
    /// Several answers in a row put the credential, or this program, in question.
    case suspicion
    /// The provider token has expired, and a new one is not there yet.
    case expiredToken
    /// APNs counts too many provider tokens, also on a new connection.
    case tokenUpdates
}
