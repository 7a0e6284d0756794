/// When a connection that says nothing is asked whether it lives, and when it is given up.
///
/// A pure value. With requests open, a peer that has sent nothing for a while gets a PING; without any, only after a
/// long time. A PING that is not answered in time ends the connection.
struct Liveness {
    /// What to do now.
    enum Action: Equatable {
        case none
        case ping
        case giveUp
    }

    private let silentMillis: Int64
    private let idleMillis: Int64
    private let answerMillis: Int64
    private var lastHeardMillis: Int64
    private var pingSentMillis: Int64?
    private var hasOpenStreams = false

    /// Starts with a connection that has just been opened.
    ///
    /// - Parameters:
    ///   - settings: The bounds.
    ///   - nowMillis: The monotonic clock.
    init(_ settings: ClientSettings, nowMillis: Int64) {
        silentMillis = settings.silentMillis
        idleMillis = settings.idleMillis
        answerMillis = settings.pingAnswerMillis
        lastHeardMillis = nowMillis
    }

    /// Something came from the peer.
    mutating func heard(nowMillis: Int64) {
        lastHeardMillis = nowMillis
        pingSentMillis = nil
    }

    /// A first request was opened on an idle connection: its silence counts from now.
    mutating func opened(nowMillis: Int64) {
        if !hasOpenStreams { lastHeardMillis = max(lastHeardMillis, nowMillis) }
        hasOpenStreams = true
    }

    /// The last request has ended.
    mutating func becameIdle() { hasOpenStreams = false }

    /// What to do; a `ping` counts as sent.
    mutating func next(nowMillis: Int64) -> Action {
        if let sent = pingSentMillis { return nowMillis - sent >= answerMillis ? .giveUp : .none }
        guard nowMillis >= pingDueMillis else { return .none }
        pingSentMillis = nowMillis
        return .ping
    }

    private var pingDueMillis: Int64 { lastHeardMillis + (hasOpenStreams ? silentMillis : idleMillis) }

    /// When ``next(nowMillis:)`` has something to do.
    var deadlineMillis: Int64 { pingSentMillis.map { $0 + answerMillis } ?? pingDueMillis }
}

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
