internal import CRdKafka
internal import Observability

/// A producer whose messages, and the offsets that led to them, become visible together or not at all.
///
/// Confined to one thread; its calls wait. An error tells what to do: ``KafkaError/isFatal`` to make a new producer,
/// ``KafkaError/requiresAbort`` to call ``abort(timeoutMillis:)`` and go back to what is committed,
/// ``KafkaError/isRetriable`` to make the same call again. See
/// <https://github.com/confluentinc/librdkafka/blob/v2.0.2/INTRODUCTION.md#transactional-producer>.
@safe
public final class TransactionalProducer {
    /// The properties that every such producer has unless its settings say otherwise.
    public static let defaults: KeyValuePairs = [
        "partitioner": "murmur2_random",
        "message.max.bytes": "9437184",
        // The next transaction waits that long while the markers of the last are written; with the default of 100 each
        // costs 104 ms.
        "retry.backoff.ms": "5",
        // A process that is killed inside a transaction hides what others write behind it for that long.
        "transaction.timeout.ms": "10000",
        // A commit sends at once what lingers.
        "linger.ms": "5",
        "queue.buffering.max.messages": "100000",
        "queue.buffering.max.kbytes": "65536",
        "socket.nagle.disable": "true",
        "socket.keepalive.enable": "true",
        "allow.auto.create.topics": "false",
    ]

    private let client: ClientHandle
    private let queue: OpaquePointer?
    private let logQueue: OpaquePointer?

    /// Starts a producer; ``initTransactions(timeoutMillis:)`` has to follow.
    ///
    /// - Parameters:
    ///   - settings: Where the cluster is; its properties win over this type's defaults.
    ///   - transactionalID: A later producer with the same id takes over from this one.
    /// - Throws: The property that librdkafka refuses.
    public init(_ settings: KafkaSettings, transactionalID: String) throws(KafkaError) {
        let configuration = try ClientConfiguration(
            defaults: TransactionalProducer.defaults,
            settings: settings,
            required: ["transactional.id": transactionalID, "enable.idempotence": "true", "acks": "all"]
        )
        // No delivery reports: what cannot be delivered makes the commit fail, and a commit would wait for somebody to
        // poll them.
        configuration.enableEvents(RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG)
        client = try ClientHandle(RD_KAFKA_PRODUCER, configuration, settings: settings, signal: nil)
        unsafe queue = rd_kafka_queue_get_main(client.pointer)
        // A commit serves the main queue itself, and would print the lines that it meets there.
        unsafe logQueue = rd_kafka_queue_new(client.pointer)
        unsafe rd_kafka_set_log_queue(client.pointer, logQueue)
    }

    deinit {
        // Fails only for what is no producer.
        _ = unsafe rd_kafka_purge(client.pointer, Int32(RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT))
        if let queue = unsafe queue { unsafe rd_kafka_queue_destroy(queue) }
        if let logQueue = unsafe logQueue { unsafe rd_kafka_queue_destroy(logQueue) }
    }

    /// Makes a topic known, to be kept by the caller.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - timeoutMillis: How long to wait for the brokers.
    /// - Returns: The topic.
    /// - Throws: ``KafkaError/unknownTopicOrPartition`` when it does not exist; or no answer came.
    public func topic(_ name: String, timeoutMillis: Int = 10_000) throws(KafkaError) -> ProducerTopic {
        try ProducerTopic(name, client: client, timeoutMillis: timeoutMillis)
    }

    /// Takes the id over: fences a former producer and ends the transaction that it left open.
    ///
    /// - Parameter timeoutMillis: How long to wait; a call that timed out goes on when it is repeated.
    /// - Throws: What the coordinator refuses.
    public func initTransactions(timeoutMillis: Int) throws(KafkaError) {
        try unsafe check(rd_kafka_init_transactions(client.pointer, Int32(clamping: timeoutMillis)))
    }

    /// Opens a transaction; no broker hears of it before the first message.
    ///
    /// - Throws: When one is open, or has to be aborted first.
    public func begin() throws(KafkaError) {
        pollErrors()
        try unsafe check(rd_kafka_begin_transaction(client.pointer))
    }

    /// Copies a message with at most one header into the open transaction.
    ///
    /// - Parameters:
    ///   - topic: A topic of this producer.
    ///   - partition: A partition of it; -1 lets the key decide.
    ///   - key: The key; nil is null.
    ///   - value: The value; nil is null, which is not the same as no bytes.
    ///   - header: The header, if any.
    ///   - timestampMillis: Milliseconds since 1970; 0 is now.
    /// - Returns: Whether it is queued; after ``ProduceResult/queueFull`` the queue drains while the caller waits.
    public func produce(
        to topic: ProducerTopic,
        partition: Int32 = -1,
        key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?,
        header: HeaderReference? = nil,
        timestampMillis: Int64 = 0
    ) -> ProduceResult {
        unsafe topic.write(
            partition: partition,
            key: key,
            value: value,
            header: header,
            opaque: 0,
            timestampMillis: timestampMillis
        )
    }

    /// Copies a message with any headers into the open transaction.
    ///
    /// - Parameters:
    ///   - topic: A topic of this producer.
    ///   - partition: A partition of it; -1 lets the key decide.
    ///   - key: The key; nil is null.
    ///   - value: The value; nil is null, which is not the same as no bytes.
    ///   - headers: Names and values; a nil value is null.
    ///   - timestampMillis: Milliseconds since 1970; 0 is now.
    /// - Returns: Whether it is queued; after ``ProduceResult/queueFull`` the queue drains while the caller waits.
    public func produce(
        to topic: ProducerTopic,
        partition: Int32 = -1,
        key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?,
        headers: [(String, [UInt8]?)],
        timestampMillis: Int64 = 0
    ) -> ProduceResult {
        unsafe topic.write(
            partition: partition,
            key: key,
            value: value,
            headers: headers,
            opaque: 0,
            timestampMillis: timestampMillis
        )
    }

    /// Adds consumed offsets to the open transaction; its consumer must not commit them itself.
    ///
    /// - Parameters:
    ///   - offsets: The offsets to read next.
    ///   - group: The consumer's place in its group, fetched after its last poll.
    ///   - timeoutMillis: How long to wait.
    /// - Throws: With ``KafkaError/requiresAbort`` when the group has given the partitions to another member.
    public func send(
        offsets: [OffsetCommit],
        group: ConsumerGroupMetadata,
        timeoutMillis: Int
    ) throws(KafkaError) {
        let list = TopicPartitionList(capacity: offsets.count)
        for offset in offsets { list.add(offset.topicPartition, offset: offset.offset, metadata: offset.metadata) }
        let timeout = Int32(clamping: timeoutMillis)
        try unsafe check(rd_kafka_send_offsets_to_transaction(client.pointer, list.pointer, group.pointer, timeout))
    }

    /// Delivers what is queued and commits.
    ///
    /// - Parameter timeoutMillis: How long to wait; a call that timed out goes on when it is repeated.
    /// - Throws: With ``KafkaError/requiresAbort`` when a message could not be delivered.
    public func commit(timeoutMillis: Int) throws(KafkaError) {
        try unsafe check(rd_kafka_commit_transaction(client.pointer, Int32(clamping: timeoutMillis)))
    }

    /// Gives the open transaction up; its messages are never seen by read_committed readers.
    ///
    /// - Parameter timeoutMillis: How long to wait; a call that timed out goes on when it is repeated.
    /// - Throws: What the coordinator refuses.
    public func abort(timeoutMillis: Int) throws(KafkaError) {
        try unsafe check(rd_kafka_abort_transaction(client.pointer, Int32(clamping: timeoutMillis)))
    }

    /// The error that has made the producer useless, if any.
    public var fatalError: KafkaError? { client.fatalError }

    /// Takes an error object over, after the lines that led to it are logged.
    private func check(_ error: OpaquePointer?) throws(KafkaError) {
        guard let error = unsafe error else { return }
        pollErrors()
        throw unsafe KafkaError(takingOwnershipOf: error)
    }

    private func pollErrors() {
        guard let queue = unsafe queue, let logQueue = unsafe logQueue else { return }
        while let event = unsafe ClientEvent(from: logQueue, timeoutMillis: 0) { unsafe client.log(event.pointer) }
        while let event = unsafe ClientEvent(from: queue, timeoutMillis: 0) {
            if let error = event.error {
                // The call that follows fails with it, or has not met it.
                client.logger.debug(
                    "the Kafka producer reports an error",
                    ["kafka.client.id": client.clientID, "kafka.error": error.name, "kafka.message": error.message]
                )
            }
        }
    }
}
