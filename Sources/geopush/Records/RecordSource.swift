internal import EventLoop
internal import Kafka
internal import Operations
internal import Synchronization

/// A topic, read without a group.
final class RecordSource {
    /// Where reading begins.
    enum Start {
        /// With the oldest record.
        case beginning
        /// With what comes next.
        case end
        /// With the last few records of each partition.
        case last(Int64)
        /// In these partitions only, at these offsets.
        case offsets([Int32: Int64])
    }

    private static let timeoutMillis = 10_000
    private static let batchMax = 1_000
    /// How long a read waits for more; also how soon a signal ends it.
    private static let pauseMillis = 100

    private let kafka: Configuration.Kafka
    private let topic: String
    private let isFollowing: Bool
    private let stopsAtSignal: Bool
    private let stop = Flag()
    private var consumer: Consumer?
    private var queue: SharedQueue?
    /// Partitions that are not read to the end, with the offset where they ended when reading began: what comes
    /// meanwhile is not part of "all there is".
    private var unread: [Int32: Int64] = [:]

    /// Names a topic.
    ///
    /// - Parameters:
    ///   - kafka: Where it is.
    ///   - name: Its name behind the prefix.
    ///   - isFollowing: Go on with what comes, until a signal.
    ///   - stopsAtSignal: A signal ends the reading, so that the taker can end its work; else it ends the process.
    init(
        _ kafka: Configuration.Kafka,
        topic name: String,
        isFollowing: Bool = false,
        stopsAtSignal: Bool = false
    ) {
        self.kafka = kafka
        topic = kafka.topicPrefix + name
        self.isFollowing = isFollowing
        self.stopsAtSignal = stopsAtSignal || isFollowing
    }

    /// Whether a signal has ended the reading.
    var isStopped: Bool { stop.isRaised }

    /// Finds the partitions and where to begin in them.
    ///
    /// - Parameter start: Where to begin.
    /// - Throws: A failure that says what does not answer, or which topic is missing.
    func open(from start: Start) throws(CommandFailure) {
        if stopsAtSignal { try watchSignals() }
        do throws(KafkaError) {
            let consumer = try Consumer(
                kafka.settings(forCommand: "reader"),
                group: "\(kafka.groupPrefix)reader",
                signal: nil
            )
            self.consumer = consumer
            var starts: [Consumer.Start] = []
            for number in 0..<Int32(try consumer.partitionCount(of: topic, timeoutMillis: Self.timeoutMillis)) {
                if case .offsets(let chosen) = start, chosen[number] == nil { continue }
                let partition = TopicPartition(topic: topic, partition: number)
                // Asked for now: what is written from here on is shown, however late the first fetch is.
                let bounds = try Self.bounds(of: partition, consumer)
                let offset = start.offset(in: number, low: bounds.low, high: bounds.high)
                if isFollowing || offset < bounds.high {
                    starts.append((partition, offset))
                    unread[number] = bounds.high
                }
            }
            queue = try consumer.assignShared(starts)
        } catch {
            guard error.code == KafkaError.unknownTopicOrPartition || error.code == KafkaError.unknownTopic else {
                throw .unreachable(kafka, error)
            }
            throw .configuration(
                "topic \(topic) does not exist: create it with `geopush topics create`, or set kafka.topicPrefix"
            )
        }
    }

    /// Asks where a partition begins and ends; its leader may just be changing, or be new.
    private static func bounds(
        of partition: TopicPartition,
        _ consumer: Consumer
    ) throws(KafkaError) -> (low: Int64, high: Int64) {
        let deadline = Clock.monotonicMillis() + Int64(timeoutMillis)
        while true {
            do {
                return try consumer.watermarks(partition, timeoutMillis: timeoutMillis)
            } catch {
                guard error.isRetriable, Clock.monotonicMillis() < deadline else { throw error }
                _ = consumer.pollEvent(timeoutMillis: pauseMillis)
            }
        }
    }

    private func watchSignals() throws(CommandFailure) {
        TerminationSignals.block()
        do throws(SystemError) {
            try TerminationSignals.watch { [stop] _ in stop.raise() }
        } catch {
            throw .runtime("no thread for signals: \(error)")
        }
    }

    /// Reads until the end, a signal or the taker's wish.
    ///
    /// - Parameters:
    ///   - body: Takes a record; false ends the reading.
    ///   - pause: Called between batches, ten times a second at least.
    /// - Throws: A failure when a partition cannot be read, or the taker's.
    func read(
        _ body: (borrowing Record) throws(CommandFailure) -> Bool,
        pause: () -> Void = {}
    ) throws(CommandFailure) {
        guard let consumer, let queue else { return }
        var batch = RecordBatch(capacity: Self.batchMax)
        var silentSinceMillis = Clock.monotonicMillis()
        while !isStopped, isFollowing || !unread.isEmpty {
            while let event = consumer.pollEvent() {
                if case .failed(let error) = event, error.isFatal { throw .unreachable(kafka, error) }
            }
            let count = queue.take(into: &batch, max: Self.batchMax, timeoutMillis: Self.pauseMillis)
            let nowMillis = Clock.monotonicMillis()
            if count > 0 { silentSinceMillis = nowMillis }
            if !isFollowing, nowMillis - silentSinceMillis > Int64(Self.timeoutMillis) {
                throw .runtime("no record and no end of \(topic) in \(Self.timeoutMillis / 1_000) s: check the brokers")
            }
            while let record = batch.next() { if try !take(record, body) { return } }
            pause()
        }
    }

    private func take(
        _ record: borrowing Record,
        _ body: (borrowing Record) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Bool {
        switch record.kind {
        case .endOfPartition:
            unread[record.partition] = nil
        case .failed(let code):
            throw .unreachable(kafka, KafkaError(code: code))
        case .data:
            if isFollowing { return try body(record) }
            guard let end = unread[record.partition] else { return true }
            if record.offset + 1 >= end { unread[record.partition] = nil }
            return try record.offset < end ? body(record) : true
        }
        return true
    }
}

extension RecordSource.Start {
    /// Where to begin in a partition.
    fileprivate func offset(in partition: Int32, low: Int64, high: Int64) -> Int64 {
        switch self {
        case .beginning: low
        case .end: high
        case .last(let count): max(low, high - count)
        case .offsets(let chosen): max(low, chosen[partition] ?? high)
        }
    }
}

/// Raised once, on any thread.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}
