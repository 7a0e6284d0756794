internal import CRdKafka

/// What one broker knows of the cluster.
public struct ClusterMetadata: Equatable, Sendable {
    /// A broker that clients can reach.
    public struct Broker: Equatable, Sendable {
        /// Its number.
        public let id: Int32
        /// The host that it tells clients.
        public let host: String
        /// The port that it tells clients.
        public let port: Int32
    }

    /// A topic, as far as its partitions go.
    public struct Topic: Equatable, Sendable {
        /// How many partitions; 0 with an error.
        public let partitions: Int
        /// The fewest copies that a partition has.
        public let replication: Int
        /// Whether each partition has a leader.
        public let hasLeaders: Bool
        /// Why nothing is known of it, if so.
        public let error: KafkaError?
    }

    /// The brokers.
    public let brokers: [Broker]
    /// The topics by name.
    public let topics: [String: Topic]

    init(_ metadata: rd_kafka_metadata) {
        brokers = unsafe (0..<Int(metadata.broker_cnt)).map { index in
            let broker = unsafe metadata.brokers[index]
            return unsafe Broker(id: broker.id, host: String(cString: broker.host), port: broker.port)
        }
        var topics: [String: Topic] = [:]
        for index in unsafe 0..<Int(metadata.topic_cnt) {
            let topic = unsafe metadata.topics[index]
            unsafe topics[String(cString: topic.topic)] = Topic(topic)
        }
        self.topics = topics
    }
}

extension ClusterMetadata.Topic {
    fileprivate init(_ topic: rd_kafka_metadata_topic) {
        var replication = Int.max
        var hasLeaders = true
        for index in unsafe 0..<Int(topic.partition_cnt) {
            let partition = unsafe topic.partitions[index]
            replication = unsafe min(replication, Int(partition.replica_cnt))
            if unsafe partition.leader < 0 { hasLeaders = false }
        }
        unsafe self.init(
            partitions: Int(topic.partition_cnt),
            replication: topic.partition_cnt > 0 ? replication : 0,
            hasLeaders: topic.partition_cnt > 0 && hasLeaders,
            error: topic.err == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : KafkaError(topic.err)
        )
    }
}

extension ClientHandle {
    /// Asks one broker for all topics.
    func metadata(timeoutMillis: Int) throws(KafkaError) -> ClusterMetadata {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let code = unsafe rd_kafka_metadata(pointer, 1, nil, &metadata, Int32(clamping: timeoutMillis))
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else { throw KafkaError(code) }
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        return unsafe ClusterMetadata(metadata.pointee)
    }
}
