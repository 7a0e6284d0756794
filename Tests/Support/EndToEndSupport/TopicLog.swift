import EventLoop
public import Kafka
import Synchronization

/// All that is in a topic, read from its beginning as it comes, as a reader sees it that sees committed records only.
///
/// A thread of its own reads; what it has read may be looked at from any.
public final class TopicLog<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        /// The offset after the last record of each partition, or after its end when that was reached.
        var positions: [Int64]
        var failure: String?
    }

    private final class Shared: Sendable {
        let state: Mutex<State>
        let isEnding = Atomic<Bool>(false)

        init(partitions: Int) { state = Mutex(State(positions: .init(repeating: 0, count: partitions))) }
    }

    private let topic: String
    private let settings: KafkaSettings
    private let shared: Shared
    private let thread: WorkerThread

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - partitions: How many partitions it has.
    ///   - settings: Where it is.
    ///   - read: What to keep of a record; nil keeps nothing. Runs on the reading thread.
    /// - Throws: What the system refuses.
    public init(
        _ topic: String,
        partitions: Int,
        _ settings: KafkaSettings,
        read: @escaping @Sendable (borrowing Record) -> Entry?
    ) throws {
        self.topic = topic
        self.settings = settings
        let shared = Shared(partitions: partitions)
        self.shared = shared
        thread = try WorkerThread(name: "topic-log") {
            do {
                try Self.run(topic, settings, shared, read)
            } catch {
                shared.state.withLock { $0.failure = "\(error)" }
            }
        }
    }

    deinit {
        shared.isEnding.store(true, ordering: .releasing)
        thread.join()
    }

    private static func run(
        _ topic: String,
        _ settings: KafkaSettings,
        _ shared: Shared,
        _ read: (borrowing Record) -> Entry?
    ) throws {
        let consumer = try Consumer(settings, group: "topic-log", signal: nil)
        let partitions = shared.state.withLock { $0.positions.count }
        let queue = try consumer.assignShared(
            (0..<partitions).map { (TopicPartition(topic: topic, partition: Int32($0)), Consumer.beginning) }
        )
        var batch = RecordBatch(capacity: 1_000)
        while !shared.isEnding.load(ordering: .acquiring) {
            while consumer.pollEvent() != nil {}
            guard queue.take(into: &batch, max: 1_000, timeoutMillis: 20) > 0 else { continue }
            var entries: [Entry] = []
            var positions: [(Int32, Int64)] = []
            while let record = batch.next() {
                positions.append((record.partition, record.isData ? record.offset + 1 : record.offset))
                if record.isData, let entry = read(record) { entries.append(entry) }
            }
            shared.state.withLock { state in
                state.entries += entries
                for (partition, next) in positions { state.positions[Int(partition)] = next }
            }
        }
    }

    /// What has been read so far.
    public var entries: [Entry] { shared.state.withLock { $0.entries } }

    /// What has been read so far but for the first entries.
    public func entries(from start: Int) -> [Entry] { shared.state.withLock { Array($0.entries[start...]) } }

    /// How much has been read so far.
    public var count: Int { shared.state.withLock { $0.entries.count } }

    /// Waits until so many entries are there.
    ///
    /// - Parameters:
    ///   - count: How many at least.
    ///   - what: What they are, for the error.
    ///   - seconds: How long to wait.
    ///   - isWanted: Which to count.
    /// - Returns: All of them.
    /// - Throws: ``Overdue``.
    public func wait(
        for count: Int,
        _ what: String,
        seconds: Int64 = 120,
        where isWanted: (Entry) -> Bool = { _ in true }
    ) async throws -> [Entry] {
        var found: [Entry] = []
        var seen = 0
        try await eventually(what, seconds: seconds, state: { "\(found.count) of \(count), read \(seen) records" }) {
            let new = try shared.state.withLock { state in
                if let failure = state.failure { throw Overdue("\(topic) cannot be read: \(failure)") }
                return state.entries[seen...]
            }
            seen += new.count
            found += new.filter(isWanted)
            return found.count >= count
        }
        return found
    }

    /// Waits until everything has been read that is in the topic now.
    ///
    /// - Parameters:
    ///   - positions: Tells where the topic ends; nil: a client made for it, which takes a while.
    ///   - seconds: How long to wait.
    /// - Returns: All entries.
    /// - Throws: ``Overdue``, or why the topic's end is not known.
    @discardableResult
    public func readToEnd(_ positions: Positions? = nil, seconds: Int64 = 120) async throws -> [Entry] {
        let positions = try positions ?? Positions(settings, group: "topic-log")
        let ends = try positions.ends(of: topic, partitions: partitionCount)
        try await eventually("the end of \(topic)", seconds: seconds) {
            shared.state.withLock { state in zip(state.positions, ends).allSatisfy { $0 >= $1 } }
        }
        return entries
    }

    private var partitionCount: Int { shared.state.withLock { $0.positions.count } }
}
