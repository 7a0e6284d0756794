internal import CRdKafka

extension Consumer {
    /// Sends a commit; the answer is one ``ConsumerEvent/committed(_:)``.
    ///
    /// Never waits: while the coordinator is out of reach the answer is, too.
    ///
    /// - Parameter offsets: The offsets to read next, not of the last record read; at least one.
    /// - Throws: What librdkafka refuses at once.
    public func commit(_ offsets: [OffsetCommit]) throws(KafkaError) {
        let client = try live()
        guard !offsets.isEmpty else { throw KafkaError(code: KafkaError.noOffset) }
        let list = TopicPartitionList(capacity: offsets.count)
        for offset in offsets { list.add(offset.topicPartition, offset: offset.offset, metadata: offset.metadata) }
        try check(unsafe rd_kafka_commit_queue(client.pointer, list.pointer, queue, nil, nil))
    }

    func commitAnswer(_ event: borrowing ClientEvent) -> CommitAnswer {
        var acknowledged: [OffsetCommit] = []
        var refused: [OffsetCommit] = []
        var error = event.error
        if let list = unsafe rd_kafka_event_topic_partition_list(event.pointer) {
            for index in 0..<Int(unsafe list.pointee.cnt) {
                let element = unsafe list.pointee.elems[index]
                let commit = unsafe TopicPartitionList.commit(of: element)
                let code = unsafe element.err
                if code != RD_KAFKA_RESP_ERR_NO_ERROR, error == nil {
                    error = KafkaError(code, "\(commit.topicPartition): \(KafkaError(code).message)")
                }
                if code == RD_KAFKA_RESP_ERR_NO_ERROR, event.error == nil {
                    acknowledged.append(commit)
                } else {
                    refused.append(commit)
                }
            }
        }
        return CommitAnswer(acknowledged: acknowledged, refused: refused, error: error)
    }

    /// Asks the coordinator what is committed.
    ///
    /// - Parameters:
    ///   - partitions: The partitions.
    ///   - timeoutMillis: How long to wait.
    /// - Returns: One commit for each partition, in order; its offset is ``OffsetCommit/none`` where nothing is
    ///   committed.
    /// - Throws: When no answer came, which says nothing about what is committed: repeat it.
    public func committed(_ partitions: [TopicPartition], timeoutMillis: Int) throws(KafkaError) -> [OffsetCommit] {
        guard !partitions.isEmpty else { return [] }
        let client = try live()
        let list = TopicPartitionList(partitions)
        try check(unsafe rd_kafka_committed(client.pointer, list.pointer, Int32(clamping: timeoutMillis)))
        var commits: [OffsetCommit] = []
        for index in 0..<Int(unsafe list.pointer.pointee.cnt) {
            let element = unsafe list.pointer.pointee.elems[index]
            try check(unsafe element.err)
            unsafe commits.append(TopicPartitionList.commit(of: element))
        }
        return commits
    }

    /// Asks a partition's leader where it begins and ends.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - timeoutMillis: How long to wait.
    /// - Returns: The first offset that there is, and that of the record that will come next.
    /// - Throws: When no answer came or the partition does not exist.
    public func watermarks(
        _ partition: TopicPartition,
        timeoutMillis: Int
    ) throws(KafkaError) -> (low: Int64, high: Int64) {
        let client = try live()
        var low: Int64 = 0
        var high: Int64 = 0
        try check(
            unsafe rd_kafka_query_watermark_offsets(
                client.pointer,
                partition.topic,
                partition.partition,
                &low,
                &high,
                Int32(clamping: timeoutMillis)
            )
        )
        return (low, high)
    }

    /// Where a partition begins and ends, as its last fetch has shown; asks nobody.
    ///
    /// - Parameter partition: One that is assigned.
    /// - Returns: The first offset that there is, and that of the record that will come next; nil before a fetch.
    public func lastKnownRange(of partition: TopicPartition) -> (low: Int64, high: Int64)? {
        guard let client else { return nil }
        var low: Int64 = 0
        var high: Int64 = 0
        let code = unsafe rd_kafka_get_watermark_offsets(
            client.pointer,
            partition.topic,
            partition.partition,
            &low,
            &high
        )
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, high >= 0 else { return nil }
        return (max(0, low), high)
    }

    /// Asks how many partitions a topic has.
    ///
    /// - Parameters:
    ///   - topic: Its name.
    ///   - timeoutMillis: How long to wait.
    /// - Returns: The count.
    /// - Throws: ``KafkaError/unknownTopicOrPartition`` when it does not exist; or no answer came.
    public func partitionCount(of topic: String, timeoutMillis: Int) throws(KafkaError) -> Int {
        try live().partitionCount(of: topic, timeoutMillis: timeoutMillis)
    }

    /// The member's place in its group at this moment.
    ///
    /// - Throws: When the consumer is closed.
    public func groupMetadata() throws(KafkaError) -> ConsumerGroupMetadata {
        guard let pointer = unsafe rd_kafka_consumer_group_metadata(try live().pointer) else {
            throw KafkaError(code: KafkaError.state, message: "the consumer has no group")
        }
        return unsafe ConsumerGroupMetadata(takingOwnershipOf: pointer)
    }

    /// The error that has made the consumer useless, if any.
    public var fatalError: KafkaError? { client?.fatalError }
}
