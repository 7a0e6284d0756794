/// When a connection that says nothing is asked whether it lives, and when it is given up.
///
/// A pure value. With requests open, a peer that has sent nothing for a while gets a PING; without any, only after a
/// long time. A request that got no answer in time makes it be asked at once. Any byte counts as an answer; a PING
/// without one in time ends the connection.
struct ConnectionLiveness {
    /// What to do now.
    enum Action: Equatable {
        case none
        case ping
        case giveUp
    }

    private let silentMillis: Int64
    private let idleMillis: Int64
    private let answerMillis: Int64
    /// When something came last, or the first request was opened on an idle connection, if that was later.
    private var quietSinceMillis: Int64
    private var pingSentMillis: Int64?
    /// A request got no answer in time, and nothing has come since.
    private var isSuspect = false

    /// Starts with a connection that has just been opened.
    ///
    /// - Parameters:
    ///   - settings: The bounds.
    ///   - nowMillis: The monotonic clock.
    init(_ settings: ClientSettings, nowMillis: Int64) {
        silentMillis = settings.silentMillis
        idleMillis = settings.idleMillis
        answerMillis = settings.pingAnswerMillis
        quietSinceMillis = nowMillis
    }

    /// Something came from the peer.
    mutating func heard(nowMillis: Int64) {
        quietSinceMillis = nowMillis
        pingSentMillis = nil
        isSuspect = false
    }

    /// A request got no answer in time.
    mutating func missedAnswer() { isSuspect = true }

    /// A first request was opened on an idle connection: its silence counts from now.
    mutating func becameBusy(nowMillis: Int64) { quietSinceMillis = max(quietSinceMillis, nowMillis) }

    /// Says what to do; a `ping` counts as sent.
    ///
    /// - Parameters:
    ///   - nowMillis: The monotonic clock.
    ///   - isBusy: Whether the peer owes us something.
    /// - Returns: A PING to send, the end, or nothing.
    mutating func next(nowMillis: Int64, isBusy: Bool) -> Action {
        guard nowMillis >= dueMillis(isBusy: isBusy) else { return .none }
        guard pingSentMillis == nil else { return .giveUp }
        pingSentMillis = nowMillis
        return .ping
    }

    /// When ``next(nowMillis:isBusy:)`` has something to do.
    func dueMillis(isBusy: Bool) -> Int64 {
        if let sent = pingSentMillis { return sent + answerMillis }
        if isSuspect { return quietSinceMillis }
        return quietSinceMillis + (isBusy ? silentMillis : idleMillis)
    }
}
