internal import EventLoop
internal import Kafka
internal import Operations
internal import Synchronization

/// The topic of receipts, read without a group.
final class ReceiptSource {
    private static let timeoutMillis = 10_000
    private static let batchMax = 1_000
    /// How long a read waits for more; also how soon a signal ends it.
    private static let pauseMillis = 100

    private let kafka: Configuration.Kafka
    private let isFollowing: Bool
    private let isStopped = Flag()
    private var consumer: Consumer?
    private var queue: SharedQueue?
    /// Partitions whose end has not been seen.
    private var unread: Set<Int32> = []

    private var topic: String { kafka.topicPrefix + "receipts" }

    init(_ kafka: Configuration.Kafka, isFollowing: Bool) {
        self.kafka = kafka
        self.isFollowing = isFollowing
    }

    /// Finds the partitions and where to begin in them.
    ///
    /// - Parameter fromBeginning: Begin with the oldest record; otherwise with the next one.
    /// - Throws: A failure that says what does not answer, or which topic is missing.
    func open(fromBeginning: Bool) throws(CommandFailure) {
        if isFollowing { try watchSignals() }
        do throws(KafkaError) {
            let consumer = try Consumer(
                kafka.settings(forCommand: "receipts"),
                group: "\(kafka.groupPrefix)receipts-reader",
                signal: nil
            )
            self.consumer = consumer
            let count = try consumer.partitionCount(of: topic, timeoutMillis: Self.timeoutMillis)
            var starts: [Consumer.Start] = []
            for number in 0..<Int32(count) {
                let partition = TopicPartition(topic: topic, partition: number)
                // Asked for now: what is written from here on is shown, however late the first fetch is.
                let low = Consumer.beginning
                let start =
                    fromBeginning ? low : try consumer.watermarks(partition, timeoutMillis: Self.timeoutMillis).high
                starts.append((partition, start))
            }
            unread = Set(starts.map(\.topicPartition.partition))
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

    private func watchSignals() throws(CommandFailure) {
        TerminationSignals.block()
        do throws(SystemError) {
            try TerminationSignals.watch { [isStopped] _ in isStopped.raise() }
        } catch {
            throw .runtime("no thread for signals: \(error)")
        }
    }

    /// Reads until the end, a signal or the taker's wish.
    ///
    /// - Parameter body: Takes a record; false ends the reading.
    /// - Throws: A failure when a partition cannot be read.
    func read(_ body: (borrowing Record) -> Bool) throws(CommandFailure) {
        guard let consumer, let queue else { return }
        var batch = RecordBatch(capacity: Self.batchMax)
        var silentSinceMillis = Clock.monotonicMillis()
        while !isStopped.isRaised, isFollowing || !unread.isEmpty {
            while let event = consumer.pollEvent() {
                if case .failed(let error) = event, error.isFatal { throw .unreachable(kafka, error) }
            }
            let count = queue.take(into: &batch, max: Self.batchMax, timeoutMillis: Self.pauseMillis)
            let nowMillis = Clock.monotonicMillis()
            if count > 0 { silentSinceMillis = nowMillis }
            if !isFollowing, nowMillis - silentSinceMillis > Int64(Self.timeoutMillis) {
                throw .runtime("no record and no end of \(topic) in \(Self.timeoutMillis / 1_000) s: check the brokers")
            }
            while let record = batch.next() {
                switch record.kind {
                case .data: if !body(record) { return }
                case .endOfPartition: unread.remove(record.partition)
                case .failed(let code): throw .unreachable(kafka, KafkaError(code: code))
                }
            }
        }
    }
}

/// Raised once, on any thread.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}
