import EventLoop
public import Kafka

/// Something that a test waited for and that did not come.
public struct MissingEvent: Error, CustomStringConvertible {
    /// What it was.
    public let description: String

    /// Names what did not come.
    public init(description: String) { self.description = description }
}

extension Consumer {
    /// Waits for an event and drops those before it.
    ///
    /// - Parameters:
    ///   - name: What is waited for.
    ///   - timeoutMillis: How long.
    ///   - choose: Its value for the event that is wanted.
    /// - Returns: The value.
    /// - Throws: ``MissingEvent`` when it does not come.
    public func wait<Value>(
        for name: String,
        timeoutMillis: Int64 = 20_000,
        _ choose: (ConsumerEvent) -> Value?
    ) throws -> Value {
        let deadline = Clock.monotonicMillis() + timeoutMillis
        while Clock.monotonicMillis() < deadline {
            if let event = pollEvent(timeoutMillis: 50), let value = choose(event) { return value }
        }
        throw MissingEvent(description: name)
    }

    /// Waits for the next assignment.
    ///
    /// - Returns: The partitions.
    /// - Throws: ``MissingEvent`` when it does not come.
    public func waitForAssignment() throws -> [TopicPartition] {
        try wait(for: "an assignment") { event -> [TopicPartition]? in
            if case .assigned(let partitions) = event { partitions } else { nil }
        }
    }

    /// Waits for the next revocation.
    ///
    /// - Returns: The partitions, and whether they are lost.
    /// - Throws: ``MissingEvent`` when it does not come.
    public func waitForRevocation() throws -> (partitions: [TopicPartition], lost: Bool) {
        try wait(for: "a revocation") { event -> ([TopicPartition], Bool)? in
            if case .revoked(let partitions, let lost) = event { (partitions, lost) } else { nil }
        }
    }

    /// Waits for the answer to a commit.
    ///
    /// - Returns: The answer.
    /// - Throws: ``MissingEvent`` when it does not come.
    public func waitForCommit() throws -> CommitAnswer {
        try wait(for: "the answer to a commit") { event -> CommitAnswer? in
            if case .committed(let answer) = event { answer } else { nil }
        }
    }

    /// Joins the group and takes what it is given, from what is committed on.
    ///
    /// - Parameter topics: The topics.
    /// - Returns: The queues of the partitions.
    /// - Throws: ``MissingEvent`` when no assignment comes.
    public func join(_ topics: [String]) throws -> [PartitionQueue] {
        try subscribe(topics)
        return try accept(waitForAssignment().map { ($0, OffsetCommit.none) })
    }
}

/// A record's parts, copied.
public struct RecordCopy: Equatable, Sendable {
    /// What was received.
    public let kind: Record.Kind
    /// Its partition.
    public let partition: Int32
    /// Its offset.
    public let offset: Int64
    /// Its key; nil is null.
    public let key: String?
    /// Its value; nil is null.
    public let value: String?

    /// Copies a record.
    public init(_ record: borrowing Record) {
        kind = record.kind
        partition = record.partition
        offset = record.offset
        key = record.key.map { String(decoding: $0, as: UTF8.self) }
        value = record.value.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Consumer {
    /// Reads until a number of records, or ends of partitions, has come; events are dropped.
    ///
    /// - Parameters:
    ///   - queues: The queues of the partitions.
    ///   - count: How many to wait for.
    ///   - kind: What to count.
    ///   - timeoutMillis: How long to wait.
    /// - Returns: Everything that came.
    /// - Throws: ``MissingEvent`` when not enough comes.
    public func read(
        _ queues: [PartitionQueue],
        until count: Int,
        of kind: Record.Kind = .data,
        timeoutMillis: Int64 = 20_000
    ) throws -> [RecordCopy] {
        var batch = RecordBatch(capacity: 64)
        var records: [RecordCopy] = []
        var found = 0
        let deadline = Clock.monotonicMillis() + timeoutMillis
        while found < count {
            guard Clock.monotonicMillis() < deadline else {
                throw MissingEvent(description: "\(count) times \(kind), got \(found)")
            }
            _ = pollEvent(timeoutMillis: 5)
            for queue in queues {
                while queue.take(into: &batch, max: 64) > 0 {
                    while let record = batch.next() {
                        records.append(RecordCopy(record))
                        if record.kind == kind { found += 1 }
                    }
                }
            }
        }
        return records
    }
}

extension Producer {
    /// Produces text and waits for its report.
    ///
    /// - Parameters:
    ///   - value: The value; nil is null.
    ///   - key: The key; nil is null.
    ///   - topic: The topic.
    ///   - partition: The partition; -1 lets the key decide.
    ///   - headers: The headers.
    /// - Returns: What became of it.
    public func send(
        _ value: String?,
        key: String? = nil,
        to topic: ProducerTopic,
        partition: Int32 = -1,
        headers: [(String, [UInt8]?)] = []
    ) -> ProduceResult {
        withBytes(of: key) { key in
            withBytes(of: value) { value in
                produce(to: topic, partition: partition, key: key, value: value, headers: headers)
            }
        }
    }
}

extension TransactionalProducer {
    /// Produces text into the open transaction.
    ///
    /// - Parameters:
    ///   - value: The value; nil is null.
    ///   - topic: The topic.
    ///   - partition: The partition; -1 lets the key decide.
    /// - Returns: Whether it is queued.
    public func send(_ value: String?, to topic: ProducerTopic, partition: Int32 = -1) -> ProduceResult {
        withBytes(of: value) { produce(to: topic, partition: partition, key: nil, value: $0) }
    }
}

/// Lends the bytes of a text; nil stays nil.
private func withBytes<Value>(of text: String?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
    guard let text else { return body(nil) }
    return Array(text.utf8).withUnsafeBytes { body($0) }
}
