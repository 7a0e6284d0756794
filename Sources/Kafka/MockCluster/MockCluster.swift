internal import CRdKafka

/// librdkafka's cluster in memory, for the demo and for tests; it listens on loopback.
///
/// What it lacks against a real one: offsets sent in a transaction are not stored, nothing is fenced or hidden from
/// read_committed, topics come into being when asked about, and there is no Admin API. A first join takes 3 s, and
/// members have to agree on the first assignor or the process ends.
@safe
public final class MockCluster: @unchecked Sendable {
    /// The keys of the requests that can be made to fail.
    public enum Request: Int16, Sendable {
        case produce = 0, fetch, listOffsets, metadata
        case offsetCommit = 8, offsetFetch, findCoordinator, joinGroup, heartbeat, leaveGroup, syncGroup
        case initProducerID = 22
        case addPartitionsToTransaction = 24, addOffsetsToTransaction, endTransaction
        case transactionOffsetCommit = 28
    }

    // Sendable: the cluster answers from threads of its own and locks itself; both pointers change only in deinit.
    private let host: OpaquePointer
    private let cluster: OpaquePointer
    /// The addresses of its brokers, for `bootstrap.servers`.
    public let bootstrapServers: String

    /// Starts a cluster.
    ///
    /// - Parameter brokers: How many brokers, numbered from 1.
    /// - Throws: When the brokers cannot listen.
    public init(brokers: Int = 1) throws(KafkaError) {
        // Its only client is its host, which has no brokers to reach, and says so at every level but this.
        var settings = KafkaSettings(bootstrapServers: "", clientID: "mock-cluster")
        settings.set("log_level", "0")
        let configuration = try ClientConfiguration(defaults: [:], settings: settings, required: [:])
        let host = try unsafe configuration.start(RD_KAFKA_PRODUCER)
        guard brokers > 0, let cluster = unsafe rd_kafka_mock_cluster_new(host, Int32(clamping: brokers)) else {
            unsafe rd_kafka_destroy(host)
            throw KafkaError(code: KafkaError.invalidArgument, message: "no mock cluster of \(brokers) brokers")
        }
        unsafe self.host = host
        unsafe self.cluster = cluster
        bootstrapServers = unsafe String(cString: rd_kafka_mock_cluster_bootstraps(cluster))
    }

    deinit {
        unsafe rd_kafka_mock_cluster_destroy(cluster)
        unsafe rd_kafka_destroy(host)
    }

    /// Makes a topic.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - partitions: How many partitions.
    /// - Throws: When it exists.
    public func createTopic(_ name: String, partitions: Int) throws(KafkaError) {
        try check(unsafe rd_kafka_mock_topic_create(cluster, name, Int32(clamping: partitions), 1))
    }

    /// Makes the next requests of a kind fail, whichever broker gets them.
    ///
    /// - Parameters:
    ///   - request: The kind.
    ///   - codes: One error for each request; 0 lets one pass, -195 (`_TRANSPORT`) closes its connection.
    public func pushErrors(_ request: Request, _ codes: [Int32]) {
        let errors = codes.map { rd_kafka_resp_err_t(rawValue: $0) }
        unsafe rd_kafka_mock_push_request_errors_array(cluster, request.rawValue, errors.count, errors)
    }

    /// Forgets the errors that are still to come.
    public func clearErrors(_ request: Request) {
        unsafe rd_kafka_mock_clear_request_errors(cluster, request.rawValue)
    }

    /// Makes the next request of a kind to a broker answer late.
    ///
    /// - Parameters:
    ///   - request: The kind.
    ///   - broker: Its number.
    ///   - millis: How late.
    /// - Throws: When there is no such broker.
    public func delay(_ request: Request, broker: Int32, millis: Int) throws(KafkaError) {
        try check(
            unsafe CRdKafka_mock_broker_push_request_error_rtts_one(
                cluster,
                broker,
                request.rawValue,
                RD_KAFKA_RESP_ERR_NO_ERROR,
                Int32(clamping: millis)
            )
        )
    }

    /// Closes a broker's connections and refuses new ones.
    ///
    /// - Parameter broker: Its number; -1 means all.
    /// - Throws: When there is no such broker.
    public func stopBroker(_ broker: Int32) throws(KafkaError) {
        try check(unsafe rd_kafka_mock_broker_set_down(cluster, broker))
    }

    /// Brings a broker back.
    ///
    /// - Parameter broker: Its number; -1 means all.
    /// - Throws: When there is no such broker.
    public func startBroker(_ broker: Int32) throws(KafkaError) {
        try check(unsafe rd_kafka_mock_broker_set_up(cluster, broker))
    }

    /// Makes every answer of a broker late.
    ///
    /// - Parameters:
    ///   - broker: Its number; -1 means all.
    ///   - millis: How late.
    /// - Throws: When there is no such broker.
    public func setRoundTrip(broker: Int32, millis: Int) throws(KafkaError) {
        try check(unsafe rd_kafka_mock_broker_set_rtt(cluster, broker, Int32(clamping: millis)))
    }

    /// Moves a partition to another leader.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - broker: The broker's number; -1 leaves it without a leader.
    /// - Throws: When there is no such broker or partition.
    public func setLeader(of partition: TopicPartition, broker: Int32) throws(KafkaError) {
        try check(
            unsafe rd_kafka_mock_partition_set_leader(cluster, partition.topic, partition.partition, broker)
        )
    }

    /// Chooses the coordinator of a group.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - broker: The broker's number.
    /// - Throws: When there is no such broker.
    public func setCoordinator(ofGroup group: String, broker: Int32) throws(KafkaError) {
        try check(unsafe rd_kafka_mock_coordinator_set(cluster, "group", group, broker))
    }

    /// Makes a topic answer with an error.
    ///
    /// - Parameters:
    ///   - code: The error; 0 takes it back.
    ///   - topic: The topic.
    public func setError(_ code: Int32, ofTopic topic: String) {
        unsafe rd_kafka_mock_topic_set_error(cluster, topic, rd_kafka_resp_err_t(rawValue: code))
    }

    private func check(_ code: rd_kafka_resp_err_t) throws(KafkaError) {
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(code) }
    }
}
