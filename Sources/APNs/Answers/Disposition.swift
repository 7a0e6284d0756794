/// What an answer of APNs means for the push, its connection and its key.
///
/// Nothing here is final that is the fault of the credential or of this program: such a push is kept, since a person
/// can cure the cause. What any team can write into a push of its own, such as a foreign topic, is final for that push,
/// so that it holds back nobody else.
public enum Disposition: Equatable, Sendable, CaseIterable {
    /// Accepted, which does not mean delivered. Final.
    case accepted
    /// Refused for what the push says. Final.
    case rejected
    /// The device token is gone. Final, and said to whoever keeps registrations.
    case unregistered
    /// Sent again after a backoff.
    case retry
    /// Sent again after a backoff that only this device token waits for.
    case retryDevice
    /// Sent again after a backoff, on another connection: this one takes nothing more.
    case reconnect
    /// Sent again with a newer provider token, on another connection.
    case refreshToken
    /// Sent again after a backoff; this connection takes nothing more, and no new token is made for 20 minutes.
    case restConnection
    /// Sent again after a backoff; several in a row mean that the key or this program is at fault, and halt the key.
    case suspectKey
    /// The credential is wrong: the push waits, and so do all others of this key.
    case haltKey
    /// The credential does not cover the app's own topic: the push waits, and so do all others of this app.
    case holdApp

    /// Whether the push ends with this answer.
    public var isFinal: Bool {
        switch self {
        case .accepted, .rejected, .unregistered: true
        default: false
        }
    }

    /// Whether APNs verified the provider token before it gave this answer; it does that before it looks at the push.
    public var provesToken: Bool {
        switch self {
        case .accepted, .rejected, .unregistered, .retryDevice, .holdApp: true
        default: false
        }
    }
}
