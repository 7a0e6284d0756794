internal import EventLoop
internal import Kafka

/// The push records of a topic, counted and compared: what a reader sees that reads committed records only.
struct PushTally {
    private static let batchMax = 1_000

    /// How many there are.
    private(set) var count = 0
    /// A sum over the content of all, `queued-at` left out; the same content in any order gives the same sum.
    private(set) var digest = 0
    /// The text of the records with certain keys, by key.
    private(set) var samples: [String: String] = [:]

    /// Reads a topic until there are so many records, or the time is over.
    ///
    /// - Parameters:
    ///   - topics: The broker.
    ///   - topic: The topic's name.
    ///   - expected: How many records are waited for; more are counted where they are there.
    ///   - sampled: The keys of records to keep.
    ///   - seconds: How long to wait.
    /// - Throws: When the topic cannot be read.
    init(_ topics: BenchTopics, topic: String, expected: Int, sampled: Set<String>, seconds: Int64) throws {
        var settings = KafkaSettings(bootstrapServers: topics.bootstrapServers, clientID: "geopush-bench-tally")
        // One queue for all partitions: at the bound librdkafka looks only once a second whether there is room.
        settings.set("queued.min.messages", "100000")
        let reader = try Consumer(settings, group: "geopush-bench", signal: nil)
        let queue = try reader.assignShared(
            (0..<BenchTopics.partitions).map {
                (TopicPartition(topic: topic, partition: Int32($0)), Consumer.beginning)
            }
        )
        var batch = RecordBatch(capacity: Self.batchMax)
        var ends: Set<Int32> = []
        let deadline = Clock.monotonicMillis() + seconds * 1_000
        // To the end of each partition, or a record too many would not be seen.
        while count < expected || ends.count < BenchTopics.partitions, Clock.monotonicMillis() < deadline {
            _ = queue.take(into: &batch, max: Self.batchMax, timeoutMillis: 20)
            while let record = batch.next() {
                switch record.kind {
                case .data:
                    ends.remove(record.partition)
                    add(record, sampled)
                case .endOfPartition: ends.insert(record.partition)
                case .failed(let code): throw BenchError("\(topic) cannot be read: \(code)")
                }
            }
        }
    }

    private mutating func add(_ record: borrowing Record, _ sampled: Set<String>) {
        count += 1
        let header = unsafe Self.withoutQueueTime(record.header("push") ?? Self.nothing)
        var hasher = Hasher()
        hasher.combine(record.partition)
        hasher.combine(record.headerList?.count ?? 0)
        unsafe Self.combine(record.key, into: &hasher)
        unsafe Self.combine(record.value, into: &hasher)
        unsafe Self.combine(header.before, into: &hasher)
        unsafe Self.combine(header.after, into: &hasher)
        digest &+= hasher.finalize()
        let key = unsafe Self.text(record.key)
        guard sampled.contains(key) else { return }
        samples[key] = unsafe """
        key \(key)
        value \(Self.text(record.value))
        headers \(record.headerList?.count ?? 0)
        \(Self.text(header.before))\(Self.text(header.after))
        """
    }

    private static func combine(_ bytes: UnsafeRawBufferPointer?, into hasher: inout Hasher) {
        unsafe hasher.combine(bytes?.count ?? -1)
        if let bytes = unsafe bytes { unsafe hasher.combine(bytes: bytes) }
    }

    private static var nothing: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

    private static func text(_ bytes: UnsafeRawBufferPointer?) -> String {
        unsafe bytes.map { unsafe String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// The lines before and after the one with the time at which the record was made.
    private static func withoutQueueTime(
        _ lines: UnsafeRawBufferPointer
    ) -> (before: UnsafeRawBufferPointer, after: UnsafeRawBufferPointer) {
        var start = 0
        while start < lines.count {
            let end = unsafe lines[start...].firstIndex(of: UInt8(ascii: "\n")) ?? lines.count
            if unsafe lines[start..<end].starts(with: "queued-at: ".utf8) {
                let after = min(end + 1, lines.count)
                return unsafe (
                    UnsafeRawBufferPointer(rebasing: lines[..<start]),
                    UnsafeRawBufferPointer(rebasing: lines[after...])
                )
            }
            start = end + 1
        }
        return unsafe (lines, nothing)
    }
}
