/// When a lane commits: once a second, or sooner after many finished pushes; one commit in flight.
///
/// A failed commit is repeated after a pause; nothing is lost by it, since a commit names a position and not a change.
struct CommitSchedule {
    private static let intervalMillis: Int64 = 1_000
    private static let finishedMax = 10_000
    /// The least pause between two commits, however many pushes finish.
    private static let pauseMillis: Int64 = 200
    private static let failurePauseMillis: Int64 = 500
    /// librdkafka answers a commit or fails it well before; a lost answer must not end commits for ever.
    private static let answerMillis: Int64 = 60_000

    private var finished = 0
    private var isChanged = false
    private var nextMillis: Int64 = 0
    private var earliestMillis: Int64 = 0
    private var inFlightSinceMillis: Int64?

    /// A commit is under way.
    var isInFlight: Bool { inFlightSinceMillis != nil }

    /// Pushes have finished, or a position moved without one.
    mutating func advanced(by pushes: Int) {
        finished += pushes
        isChanged = true
    }

    /// A commit should start now.
    mutating func isDue(nowMillis: Int64) -> Bool {
        if let since = inFlightSinceMillis {
            guard nowMillis - since >= Self.answerMillis else { return false }
            inFlightSinceMillis = nil
        }
        guard isChanged else { return false }
        return nowMillis >= nextMillis || (finished >= Self.finishedMax && nowMillis >= earliestMillis)
    }

    /// When the next commit may start, if something waits for one.
    var dueMillis: Int64? { isChanged && !isInFlight ? nextMillis : nil }

    /// A commit was sent.
    mutating func started(nowMillis: Int64) {
        inFlightSinceMillis = nowMillis
        settled(nowMillis: nowMillis)
    }

    /// There was nothing to send.
    mutating func skipped(nowMillis: Int64) { settled(nowMillis: nowMillis) }

    private mutating func settled(nowMillis: Int64) {
        isChanged = false
        finished = 0
        nextMillis = nowMillis + Self.intervalMillis
        earliestMillis = nowMillis + Self.pauseMillis
    }

    /// The commit in flight was answered well.
    mutating func acknowledged() { inFlightSinceMillis = nil }

    /// The commit in flight failed: it is tried again after a pause.
    mutating func failed(nowMillis: Int64) {
        inFlightSinceMillis = nil
        isChanged = true
        nextMillis = nowMillis + Self.failurePauseMillis
        earliestMillis = nextMillis
    }

    /// The partitions are gone, and with them what was to be committed.
    mutating func reset() { self = CommitSchedule() }
}
