/// One partition of a topic.
public struct TopicPartition: Hashable, Sendable, CustomStringConvertible {
    /// The topic's name.
    public let topic: String
    /// The partition's number, from 0.
    public let partition: Int32

    /// Names a partition.
    public init(topic: String, partition: Int32) {
        self.topic = topic
        self.partition = partition
    }

    /// `topic/partition`.
    public var description: String { "\(topic)/\(partition)" }
}

/// Where a group stands in a partition: what is committed, or to be committed.
public struct OffsetCommit: Hashable, Sendable {
    /// The offset of a partition in which nothing was ever committed.
    public static let none: Int64 = -1001

    /// The partition.
    public let topicPartition: TopicPartition
    /// The offset of the next record to read; ``none`` where nothing is committed.
    public let offset: Int64
    /// Where to begin: at the first record there is where nothing is committed.
    ///
    /// Said outright, since librdkafka would ask the coordinator once more where it is told nothing.
    public var start: Int64 { offset == OffsetCommit.none ? Consumer.beginning : offset }
    /// What the committer wrote beside it: ASCII, at most 4,096 bytes.
    public let metadata: String

    /// Makes a commit.
    public init(topicPartition: TopicPartition, offset: Int64, metadata: String = "") {
        self.topicPartition = topicPartition
        self.offset = offset
        self.metadata = metadata
    }
}
