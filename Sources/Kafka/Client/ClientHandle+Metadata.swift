internal import CRdKafka

extension ClientHandle {
    /// Asks how many partitions a topic has, which also makes the client know their leaders.
    func partitionCount(of topic: String, timeoutMillis: Int) throws(KafkaError) -> Int {
        guard let handle = unsafe rd_kafka_topic_new(pointer, topic, nil) else {
            throw KafkaError(rd_kafka_last_error(), "topic \"\(topic)\"")
        }
        defer { unsafe rd_kafka_topic_destroy(handle) }
        return try unsafe partitionCount(ofTopic: handle, named: topic, timeoutMillis: timeoutMillis)
    }

    func partitionCount(
        ofTopic topic: OpaquePointer,
        named name: String,
        timeoutMillis: Int
    ) throws(KafkaError) -> Int {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let code = unsafe rd_kafka_metadata(pointer, 0, topic, &metadata, Int32(clamping: timeoutMillis))
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            throw KafkaError(code, "topic \"\(name)\": \(KafkaError(code).message)")
        }
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        guard unsafe metadata.pointee.topic_cnt == 1 else { return 0 }
        let found = unsafe metadata.pointee.topics[0]
        guard unsafe found.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw unsafe KafkaError(found.err, "topic \"\(name)\": \(KafkaError(found.err).message)")
        }
        return unsafe Int(found.partition_cnt)
    }
}
