/// What a consumer has to be told, or has to answer; polled, never called back.
public enum ConsumerEvent: Sendable {
    /// Partitions are given to this member; to be answered by ``Consumer/accept(_:)``, also when there are none.
    case assigned([TopicPartition])
    /// Partitions are taken away; to be answered by ``Consumer/acceptRevocation()``. Once `lost` they belong to
    /// another member already, and a commit would be refused.
    case revoked([TopicPartition], lost: Bool)
    /// The answer to one ``Consumer/commit(_:)``.
    case committed(CommitAnswer)
    /// Something that is not about one partition: no broker can be reached, the poll interval was exceeded, the
    /// client is lost (``KafkaError/isFatal``).
    case failed(KafkaError)
}

/// What the group's coordinator said to a commit.
public struct CommitAnswer: Sendable {
    /// What is committed now.
    public let acknowledged: [OffsetCommit]
    /// What is not, and may be committed again.
    public let refused: [OffsetCommit]
    /// Why; nil when all is committed.
    public let error: KafkaError?
}
