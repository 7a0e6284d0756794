internal import CRdKafka
public import EventLoop

/// A member of a group, or a reader of chosen partitions.
///
/// Confined to one thread. Nothing is called back: events are polled, records are taken from the queue of their
/// partition, and the signal is raised when either is there. No offset is stored or committed but by ``commit(_:)``.
@safe
public final class Consumer {
    /// The properties that every consumer has unless its settings say otherwise.
    public static let defaults: KeyValuePairs = [
        // A group that has never committed reads all there is, and an offset out of range is no reason to skip.
        "auto.offset.reset": "earliest",
        // What a transaction has not committed does not exist.
        "isolation.level": "read_committed",
        // After transaction markers the end of a partition is known only from this event.
        "enable.partition.eof": "true",
        // A misspelt topic has to be an error.
        "allow.auto.create.topics": "false",
        // The only assignor of 2.0 without known ways to lose an assignment, and the one that keeps topics with equal
        // partition counts together.
        "partition.assignment.strategy": "range",
        // After a kill the partitions stand still that long.
        "session.timeout.ms": "10000",
        "heartbeat.interval.ms": "1000",
        // How long an idle broker holds a fetch back; it answers at once when there is data.
        "fetch.wait.max.ms": "100",
        // Bounds what is fetched ahead: 45 MB over 8 partitions that wait, where the defaults take 223.
        "queued.min.messages": "3000",
        "queued.max.messages.kbytes": "16384",
        "fetch.message.max.bytes": "131072",
        // A damaged record must not become a push.
        "check.crcs": "true",
        // Small requests must not wait for the acknowledgement of the one before.
        "socket.nagle.disable": "true",
        "socket.keepalive.enable": "true",
    ]

    private(set) var client: ClientHandle?
    private(set) var queue: OpaquePointer?
    var partitionQueues: [TopicPartition: PartitionQueue] = [:]
    var sharedQueue: SharedQueue?
    /// What the last ``ConsumerEvent/revoked(_:lost:)`` named, until it is answered.
    var revoked: [TopicPartition]?
    private var isMember = false
    private(set) var isClosing = false

    /// Starts a member of a group; it joins with ``subscribe(_:)``.
    ///
    /// - Parameters:
    ///   - settings: Where the cluster is; its properties win over this type's defaults, but for `group.id` and those
    ///     that would commit behind the caller's back.
    ///   - group: The group; a reader of chosen partitions names one too, and nothing is committed in it unless asked.
    ///   - signal: Raised when an event or a record arrives in an empty queue.
    /// - Throws: The property that librdkafka refuses.
    public init(_ settings: KafkaSettings, group: String, signal: EventSignal?) throws(KafkaError) {
        let configuration = try ClientConfiguration(
            defaults: Consumer.defaults,
            settings: settings,
            required: ["group.id": group, "enable.auto.commit": "false", "enable.auto.offset.store": "false"]
        )
        configuration.enableEvents(
            RD_KAFKA_EVENT_REBALANCE | RD_KAFKA_EVENT_OFFSET_COMMIT | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG
        )
        let client = try ClientHandle(RD_KAFKA_CONSUMER, configuration, settings: settings, signal: signal)
        client.skipsConsumerClose = true
        self.client = client
        // Errors and logs of the client's main queue come through the consumer's.
        unsafe rd_kafka_poll_set_consumer(client.pointer)
        unsafe queue = rd_kafka_queue_get_consumer(client.pointer)
        unsafe rd_kafka_set_log_queue(client.pointer, queue)
        if let queue = unsafe queue { unsafe client.signal(from: queue) }
    }

    deinit { close(timeoutMillis: 1_000) }

    /// Joins the group and reads these topics; the first event follows.
    ///
    /// - Throws: When a name is not valid or the consumer is closed.
    public func subscribe(_ topics: [String]) throws(KafkaError) {
        isMember = true
        let list = TopicPartitionList(topics.map { TopicPartition(topic: $0, partition: -1) })
        try check(unsafe rd_kafka_subscribe(live().pointer, list.pointer))
    }

    /// Takes the next event; never waits.
    ///
    /// - Returns: Nil when none is there.
    public func pollEvent() -> ConsumerEvent? { pollEvent(timeoutMillis: 0) }

    /// Waits for the next event.
    ///
    /// - Parameter timeoutMillis: How long; a line that librdkafka logs starts the time anew.
    /// - Returns: Nil when none came.
    public func pollEvent(timeoutMillis: Int) -> ConsumerEvent? {
        guard let client, let queue = unsafe queue else { return nil }
        while let event = unsafe ClientEvent(from: queue, timeoutMillis: timeoutMillis) {
            if let event = interpret(event, client) { return event }
        }
        return nil
    }

    private func interpret(_ event: borrowing ClientEvent, _ client: ClientHandle) -> ConsumerEvent? {
        switch event.type {
        case RD_KAFKA_EVENT_REBALANCE:
            return rebalance(event, client)
        case RD_KAFKA_EVENT_OFFSET_COMMIT:
            return .committed(commitAnswer(event))
        case RD_KAFKA_EVENT_ERROR:
            return event.error.map { .failed($0) }
        case RD_KAFKA_EVENT_LOG:
            unsafe client.log(event.pointer)
            return nil
        default:
            return nil
        }
    }

    private func rebalance(_ event: borrowing ClientEvent, _ client: ClientHandle) -> ConsumerEvent? {
        let partitions = unsafe TopicPartitionList.partitions(of: rd_kafka_event_topic_partition_list(event.pointer))
        if event.error?.code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS.rawValue { return .assigned(partitions) }
        revoked = partitions
        // Any other code than revoke means that the assignment is void.
        let isRevoke = event.error?.code == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS.rawValue
        return .revoked(partitions, lost: unsafe !isRevoke || rd_kafka_assignment_lost(client.pointer) != 0)
    }

    /// Begins to leave the group: a last ``ConsumerEvent/revoked(_:lost:)`` follows, and once it is answered
    /// ``isClosed`` becomes true.
    public func startClosing() {
        guard let client, let queue = unsafe queue, !isClosing else { return }
        isClosing = true
        // Fails only for a client that is no consumer or closes already.
        if let error = unsafe rd_kafka_consumer_close_queue(client.pointer, queue) {
            unsafe rd_kafka_error_destroy(error)
        }
    }

    /// Whether the group is left.
    public var isClosed: Bool {
        guard let client else { return true }
        return unsafe isClosing && rd_kafka_consumer_closed(client.pointer) != 0
    }

    /// Leaves the group without further commits, and gives all up; bounded, and again at once when done.
    ///
    /// - Parameter timeoutMillis: How long to wait for the group; after it the member times out there.
    public func close(timeoutMillis: Int) {
        guard client != nil else { return }
        // A revocation that is never answered would hold the end of the client back for ever. What cannot be given
        // back is void with the client.
        if revoked != nil { try? acceptRevocation() }
        // Without a group there is nobody to take leave of, and librdkafka needs a second to find that out; without
        // time nobody hears it.
        if isMember, timeoutMillis > 0 { startClosing() }
        let deadline = Clock.monotonicMillis() + Int64(max(0, timeoutMillis))
        while isMember, isClosing, !isClosed {
            let rest = deadline - Clock.monotonicMillis()
            guard rest > 0 else { break }
            // 10 ms, because the end of closing is a state and not an event.
            if case .revoked? = pollEvent(timeoutMillis: Int(min(10, rest))) { try? acceptRevocation() }
        }
        for queue in partitionQueues.values { queue.close() }
        partitionQueues = [:]
        sharedQueue?.close()
        sharedQueue = nil
        if let queue = unsafe queue.take() {
            unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
            unsafe rd_kafka_queue_destroy(queue)
        }
        client = nil
    }

    func live() throws(KafkaError) -> ClientHandle {
        guard let client else { throw KafkaError(code: KafkaError.state, message: "the consumer is closed") }
        return client
    }

    func check(_ code: rd_kafka_resp_err_t) throws(KafkaError) {
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(code) }
    }
}
