/// Which records of one partition are finished, and up to where the partition may be committed.
///
/// Records finish in any order. The commit names the first one that is not finished, and in its metadata
/// (``FinishedRuns``) those beyond it that are, so that after a restart only what was unfinished, or finished since,
/// comes again. Only what is not finished takes memory: a list in the order of offsets, in which a finished record
/// leaves its place to its neighbours. No call but ``takeCommit(isHeld:)`` costs more than a few dozen instructions,
/// none allocates while no more than the bound are unfinished.
///
/// Offsets need not be dense: what was never received between two records counts as finished.
public struct OffsetWatermark: ~Copyable {
    /// What to do with a record that was received.
    public enum Received: Equatable, Sendable {
        /// It is to be handled, and then given to ``OffsetWatermark/finished(sequence:)`` exactly once.
        case track(sequence: UInt32)
        /// It was finished before the restart; drop it.
        case alreadyFinished
    }

    /// What to commit.
    public struct Commit: Equatable, Sendable {
        /// The offset of the first record that is not finished, or of the next to come.
        public let offset: Int64
        /// What is finished beyond it.
        public let metadata: String

        /// Makes a commit.
        public init(offset: Int64, metadata: String) {
            self.offset = offset
            self.metadata = metadata
        }
    }

    /// The most records that may come again after a kill before nothing more is to be taken.
    public let spanMax: Int
    /// How many records are received and not finished.
    public private(set) var unfinished = 0

    private var list: UnfinishedList
    private var restored: RestoredRuns
    /// The offset that is expected next; nil before the first record when nothing was committed.
    private var position: Int64?
    /// The records finished here, and how many of them the acknowledged commits have recorded.
    private var finishedTotal = 0
    private var finishedAcknowledged = 0

    private var lastCommit: Commit?
    /// The commit without an answer, and how many finished records it records; no commit after a reset.
    private var inFlight: (commit: Commit?, finished: Int)?
    private var isChanged = false

    /// Starts where a group stands.
    ///
    /// - Parameters:
    ///   - committed: The committed offset; negative when there is none.
    ///   - metadata: The metadata of that commit, whoever wrote it.
    ///   - spanMax: The most records that may come again after a kill, at least 1.
    public init(committed: Int64, metadata: String = "", spanMax: Int) {
        self.spanMax = max(1, spanMax)
        list = UnfinishedList(capacity: self.spanMax)
        restored = RestoredRuns(FinishedRuns(metadata: metadata, base: committed))
        guard committed >= 0 else { return }
        position = committed
        lastCommit = Commit(offset: committed, metadata: metadata)
    }

    /// Takes note of a record, in the order of the partition.
    ///
    /// An offset that is not beyond the last means that the position was reset, because the topic was made anew or
    /// truncated: all that was known is forgotten, and commits begin there.
    ///
    /// - Parameter offset: Its offset.
    /// - Returns: Whether it is to be handled.
    public mutating func received(_ offset: Int64) -> Received {
        if let position, offset < position { reset(to: offset) }
        // Before the first record with nothing committed: the start of the partition is worth a commit.
        if position == nil || (list.isEmpty && position != offset) { isChanged = true }
        position = offset + 1
        if restored.contains(offset) {
            isChanged = true
            list.appendFinished(offset)
            return .alreadyFinished
        }
        unfinished += 1
        return .track(sequence: list.append(offset))
    }

    /// Takes note that a record is finished: nothing of it has to be done again.
    ///
    /// - Parameter sequence: The number that ``received(_:)`` gave it; valid once.
    public mutating func finished(sequence: UInt32) {
        guard list.remove(sequence) else { return }
        unfinished -= 1
        finishedTotal += 1
        isChanged = true
    }

    /// Takes note that nothing but markers lies between the last record and an offset.
    ///
    /// - Parameter offset: That of the record that will come next.
    public mutating func reachedEnd(at offset: Int64) {
        guard offset > position ?? -1 else { return }
        position = offset
        if list.isEmpty { isChanged = true }
    }

    /// How many records would come again after a kill: what is not finished, and what is and not acknowledged.
    public var span: Int { unfinished + finishedTotal - finishedAcknowledged }

    /// Whether to take nothing more from the partition for now.
    ///
    /// True at the bound of ``span``, and when the metadata is three quarters full. While records of before the restart
    /// come again a fuller one is allowed, since they are what has to be finished to empty it.
    public var isFull: Bool { span >= spanMax || isMetadataFull }

    /// An upper bound of the bytes of run lengths in the next metadata.
    package var payloadBytes: Int { list.payloadBytes + restored.payloadBytes }

    private var isMetadataFull: Bool {
        let limit = FinishedRuns.payloadBytesMax
        return unfinished > 0 && payloadBytes >= (restored.isEmpty ? limit / 4 * 3 : limit / 16 * 15)
    }

    /// Whether a commit has been taken and not answered.
    public var hasCommitInFlight: Bool { inFlight != nil }

    /// The offset that a commit would have now; nil before the first record when nothing was committed.
    public var committable: Int64? { list.first ?? position.map { restored.end(from: $0) } }

    /// Takes what is to be committed now; its answer has to be told by ``commitAcknowledged()`` or ``commitFailed()``.
    ///
    /// - Parameter isHeld: Whether the reader holds the partition back for a reason of its own.
    /// - Returns: Nil while another is in flight, and when nothing is new since the last.
    public mutating func takeCommit(isHeld: Bool = false) -> Commit? {
        guard inFlight == nil, let offset = committable else { return nil }
        // Full for want of an acknowledgement is not held: this commit will end it.
        let isHeld = isHeld || isMetadataFull || unfinished >= spanMax
        guard isChanged || isHeld != lastWasHeld else { return nil }
        var finished = FinishedRuns()
        list.appendRuns(to: &finished)
        restored.appendRuns(to: &finished, from: max(offset, finished.runs.last?.upperBound ?? offset))
        let (metadata, written) = finished.metadata(base: offset, isHeld: isHeld)
        isChanged = false
        let commit = Commit(offset: offset, metadata: metadata)
        guard commit != lastCommit else { return nil }
        // What did not fit comes again after a kill. Counted in offsets, which is never less than in records.
        let lost = finished.runs[written...].reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) }
        inFlight = (commit, max(finishedAcknowledged, finishedTotal - lost))
        return commit
    }

    /// Takes note that the commit in flight is stored.
    public mutating func commitAcknowledged() {
        guard let (commit, finished) = inFlight.take() else { return }
        guard let commit else { return isChanged = true }
        lastCommit = commit
        finishedAcknowledged = finished
    }

    /// Takes note that the commit in flight may not be stored: the next one is taken even if nothing changes.
    public mutating func commitFailed() {
        guard inFlight.take() != nil else { return }
        isChanged = true
    }

    private var lastWasHeld: Bool { lastCommit?.metadata.hasSuffix(";held") ?? false }

    private mutating func reset(to offset: Int64) {
        list.detachAll()
        restored = RestoredRuns(FinishedRuns())
        unfinished = 0
        finishedTotal = 0
        finishedAcknowledged = 0
        if inFlight != nil { inFlight = (nil, 0) }
        lastCommit = nil
        position = nil
        isChanged = true
    }
}
