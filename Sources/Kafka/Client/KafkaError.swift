internal import CRdKafka

/// What librdkafka or a broker answered instead of doing what was asked.
public struct KafkaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The code; negative ones are librdkafka's own, positive ones a broker's.
    public let code: Int32
    /// The code's name without its prefix, such as `_TIMED_OUT` or `UNKNOWN_TOPIC_OR_PART`.
    public let name: String
    /// What happened, in words.
    public let message: String
    /// The client cannot go on and has to be made anew.
    public let isFatal: Bool
    /// The same call may succeed later.
    public let isRetriable: Bool
    /// The open transaction has to be aborted.
    public let requiresAbort: Bool

    /// Makes the error of a code.
    ///
    /// - Parameters:
    ///   - code: librdkafka's code.
    ///   - message: What happened; the code's own text when nil.
    ///   - isFatal: Whether the client is lost.
    public init(code: Int32, message: String? = nil, isFatal: Bool = false) {
        let error = rd_kafka_resp_err_t(rawValue: code)
        self.code = code
        self.name = unsafe rd_kafka_err2name(error).map { unsafe String(cString: $0) } ?? "\(code)"
        self.message = message ?? (unsafe rd_kafka_err2str(error).map { unsafe String(cString: $0) } ?? "\(code)")
        self.isFatal = isFatal || code == KafkaError.fatal
        self.isRetriable = KafkaError.transient.contains(code)
        self.requiresAbort = false
    }

    init(_ error: rd_kafka_resp_err_t, _ message: String? = nil) {
        self.init(code: error.rawValue, message: message)
    }

    /// Reads an error object and destroys it.
    init(takingOwnershipOf error: OpaquePointer) {
        code = unsafe rd_kafka_error_code(error).rawValue
        name = unsafe String(cString: rd_kafka_error_name(error))
        message = unsafe String(cString: rd_kafka_error_string(error))
        isFatal = unsafe rd_kafka_error_is_fatal(error) != 0
        isRetriable = unsafe rd_kafka_error_is_retriable(error) != 0
        requiresAbort = unsafe rd_kafka_error_txn_requires_abort(error) != 0
        unsafe rd_kafka_error_destroy(error)
    }

    /// The name and the message.
    public var description: String { "\(name): \(message)" }
}

extension KafkaError {
    /// The local queue of the producer is full.
    public static let queueFull = RD_KAFKA_RESP_ERR__QUEUE_FULL.rawValue
    /// No answer in time; the outcome is unknown.
    public static let timedOut = RD_KAFKA_RESP_ERR__TIMED_OUT.rawValue
    /// The client is lost; ``Producer/fatalError`` tells why.
    public static let fatal = RD_KAFKA_RESP_ERR__FATAL.rawValue
    /// Another producer with the same transactional id has taken over.
    public static let fenced = RD_KAFKA_RESP_ERR__FENCED.rawValue
    /// The call does not fit the state of the client, which may be closed.
    public static let state = RD_KAFKA_RESP_ERR__STATE.rawValue
    /// The partition does not exist.
    public static let unknownPartition = RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION.rawValue
    /// The topic does not exist, as librdkafka says it.
    public static let unknownTopic = RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC.rawValue
    /// The topic or partition does not exist, as a broker says it.
    public static let unknownTopicOrPartition = RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART.rawValue
    /// The topic exists already.
    public static let topicAlreadyExists = RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS.rawValue
    /// The message is larger than `message.max.bytes` or than the topic allows.
    public static let messageSizeTooLarge = RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE.rawValue
    /// The message was dropped by ``Producer/purge()`` or by the end of the producer.
    public static let purged = RD_KAFKA_RESP_ERR__PURGE_QUEUE.rawValue
    /// The application has not polled for `max.poll.interval.ms`.
    public static let maxPollExceeded = RD_KAFKA_RESP_ERR__MAX_POLL_EXCEEDED.rawValue
    /// No broker can be reached.
    public static let allBrokersDown = RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN.rawValue
    /// A broker has refused the login.
    public static let authentication = RD_KAFKA_RESP_ERR__AUTHENTICATION.rawValue
    /// TLS with a broker failed.
    public static let tls = RD_KAFKA_RESP_ERR__SSL.rawValue
    /// The name of a broker has no address.
    public static let resolve = RD_KAFKA_RESP_ERR__RESOLVE.rawValue
    /// The connection to a broker failed.
    public static let transport = RD_KAFKA_RESP_ERR__TRANSPORT.rawValue
    /// There is nothing to commit.
    public static let noOffset = RD_KAFKA_RESP_ERR__NO_OFFSET.rawValue
    /// A configuration value is not valid.
    public static let invalidArgument = RD_KAFKA_RESP_ERR__INVALID_ARG.rawValue

    /// What passes by itself: brokers that move, restart or are slow.
    private static let transient: Set<Int32> = Set(
        [
            RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN,
            RD_KAFKA_RESP_ERR__RESOLVE, RD_KAFKA_RESP_ERR__WAIT_COORD, RD_KAFKA_RESP_ERR__QUEUE_FULL,
            RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE, RD_KAFKA_RESP_ERR__IN_PROGRESS,
            RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
            RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT, RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION,
            RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS, RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE,
            RD_KAFKA_RESP_ERR_NOT_COORDINATOR, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS,
            RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND, RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS,
            RD_KAFKA_RESP_ERR_NOT_CONTROLLER, RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS,
        ].map(\.rawValue)
    )
}
