/// The bounds of a client connection, in milliseconds.
public struct ClientSettings: Equatable, Sendable {
    /// How long the peer may take for one request.
    public var requestTimeoutMillis: Int64 = 30_000
    /// How long the peer may say nothing while requests are open, before it gets a PING.
    public var silentMillis: Int64 = 5_000
    /// How long a connection may lie idle before it gets a PING; Apple asks for an hour.
    public var idleMillis: Int64 = 3_600_000
    /// How long the answer to a PING may take.
    public var pingAnswerMillis: Int64 = 5_000

    /// Makes the defaults.
    public init() {}
}
