public import Kafka

/// Where a group and its topics stand, asked as an operator's tool asks it; confined to one thread at a time.
public final class Positions {
    private static let timeoutMillis = 5_000

    private let consumer: Consumer

    /// Makes a client that does not join the group.
    ///
    /// - Parameters:
    ///   - settings: Where the cluster is.
    ///   - group: The group.
    /// - Throws: What librdkafka refuses.
    public init(_ settings: KafkaSettings, group: String) throws {
        consumer = try Consumer(settings, group: group, signal: nil)
    }

    /// The offset of the record that will come next in each partition.
    public func ends(of topic: String, partitions: Int) throws -> [Int64] {
        try (0..<partitions).map { partition in
            let id = TopicPartition(topic: topic, partition: Int32(partition))
            return try consumer.watermarks(id, timeoutMillis: Self.timeoutMillis).high
        }
    }

    /// The committed offset of each partition; -1001 where there is none.
    public func committed(in topic: String, partitions: Int) throws -> [Int64] {
        try commits(in: topic, partitions: partitions).map(\.offset)
    }

    /// The commits of each partition with their metadata.
    public func commits(in topic: String, partitions: Int) throws -> [OffsetCommit] {
        try consumer.committed(
            (0..<partitions).map { TopicPartition(topic: topic, partition: Int32($0)) },
            timeoutMillis: Self.timeoutMillis
        )
    }
}
