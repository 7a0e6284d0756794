internal import CRdKafka
public import EventLoop
internal import Observability

/// An idempotent producer whose delivery reports are polled; confined to one thread.
@safe
public final class Producer {
    private static let defaults: KeyValuePairs = [
        // A report means that every in-sync replica has it, once and in order.
        "acks": "all",
        "enable.idempotence": "true",
        // Keys land where the Java client would put them.
        "partitioner": "murmur2_random",
        // Whole events and dead letters; the brokers' topics set the real limit.
        "message.max.bytes": "9437184",
        // Nobody waits for a receipt, and a request costs the same with 2 messages or 200: at 40,000 a second over 8
        // partitions a message of 600 bytes costs 1.7 us of CPU, with 5 ms 2.7, with 0 ms 9, and with 50 ms no less.
        "linger.ms": "20",
        // Bounds memory by bytes and by messages; what does not fit is not produced.
        "queue.buffering.max.messages": "100000",
        "queue.buffering.max.kbytes": "65536",
        // After that a report says that it failed, and the caller decides.
        "message.timeout.ms": "120000",
        "retry.backoff.ms": "50",
        "socket.nagle.disable": "true",
        "socket.keepalive.enable": "true",
        "allow.auto.create.topics": "false",
    ]

    /// Messages that were queued and whose report has not been polled.
    public private(set) var unreported = 0
    private let client: ClientHandle
    private let queue: OpaquePointer?
    /// An event that held more reports than fitted into the caller's buffer.
    private var pending: ClientEvent?

    /// Starts a producer.
    ///
    /// - Parameters:
    ///   - settings: Where the cluster is; its properties win over this type's defaults.
    ///   - signal: Raised when a report arrives and none was waiting.
    /// - Throws: The property that librdkafka refuses.
    public init(_ settings: KafkaSettings, signal: EventSignal?) throws(KafkaError) {
        let configuration = try ClientConfiguration(defaults: Producer.defaults, settings: settings, required: [:])
        configuration.enableEvents(RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG)
        client = try ClientHandle(RD_KAFKA_PRODUCER, configuration, settings: settings, signal: signal)
        unsafe queue = rd_kafka_queue_get_main(client.pointer)
        unsafe rd_kafka_set_log_queue(client.pointer, nil)
        if let queue = unsafe queue { unsafe client.signal(from: queue) }
    }

    deinit {
        purge()
        pending = nil
        guard let queue = unsafe queue else { return }
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        unsafe rd_kafka_queue_destroy(queue)
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

    /// Copies a message with at most one header into the producer's queue.
    ///
    /// - Parameters:
    ///   - topic: A topic of this producer.
    ///   - partition: A partition of it; -1 lets the key decide.
    ///   - key: The key; nil is null.
    ///   - value: The value; nil is null, which is not the same as no bytes.
    ///   - header: The header, if any.
    ///   - opaque: Comes back in the report.
    ///   - timestampMillis: Milliseconds since 1970; 0 is now.
    /// - Returns: Whether it is queued.
    public func produce(
        to topic: ProducerTopic,
        partition: Int32 = -1,
        key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?,
        header: HeaderReference? = nil,
        opaque: UInt64,
        timestampMillis: Int64 = 0
    ) -> ProduceResult {
        let result = unsafe topic.write(
            partition: partition,
            key: key,
            value: value,
            header: header,
            opaque: opaque,
            timestampMillis: timestampMillis
        )
        if result == .queued { unreported += 1 }
        return result
    }

    /// Copies a message with any headers into the producer's queue.
    ///
    /// - Parameters:
    ///   - topic: A topic of this producer.
    ///   - partition: A partition of it; -1 lets the key decide.
    ///   - key: The key; nil is null.
    ///   - value: The value; nil is null, which is not the same as no bytes.
    ///   - headers: Names and values; a nil value is null.
    ///   - opaque: Comes back in the report.
    ///   - timestampMillis: Milliseconds since 1970; 0 is now.
    /// - Returns: Whether it is queued.
    public func produce(
        to topic: ProducerTopic,
        partition: Int32 = -1,
        key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?,
        headers: [(String, [UInt8]?)],
        opaque: UInt64 = 0,
        timestampMillis: Int64 = 0
    ) -> ProduceResult {
        let result = unsafe topic.write(
            partition: partition,
            key: key,
            value: value,
            headers: headers,
            opaque: opaque,
            timestampMillis: timestampMillis
        )
        if result == .queued { unreported += 1 }
        return result
    }

    /// Takes the reports that wait; never waits itself.
    ///
    /// - Parameter reports: Its content is replaced.
    /// - Returns: How many it holds now; its capacity means that there may be more.
    @discardableResult
    public func pollReports(_ reports: inout DeliveryReports) -> Int {
        pollReports(&reports, timeoutMillis: 0)
    }

    /// Takes reports, waiting for the first.
    ///
    /// - Parameters:
    ///   - reports: Its content is replaced.
    ///   - timeoutMillis: How long to wait.
    /// - Returns: How many it holds now; its capacity means that there may be more.
    @discardableResult
    public func pollReports(_ reports: inout DeliveryReports, timeoutMillis: Int) -> Int {
        reports.removeAll()
        if let event = pending.take(), drain(event, into: &reports) { return reports.count }
        guard let queue = unsafe queue else { return reports.count }
        while let event = unsafe ClientEvent(from: queue, timeoutMillis: reports.count == 0 ? timeoutMillis : 0) {
            if drain(event, into: &reports) { break }
        }
        return reports.count
    }

    /// Empties an event; keeps it where the buffer is full before.
    ///
    /// - Parameters:
    ///   - event: An event of the producer's queue.
    ///   - reports: Where reports go.
    /// - Returns: Whether the buffer is full.
    private func drain(_ event: consuming ClientEvent, into reports: inout DeliveryReports) -> Bool {
        switch event.type {
        case RD_KAFKA_EVENT_DR:
            let count = reports.count
            let isFull = reports.append(from: event)
            unreported -= reports.count - count
            if isFull { pending = consume event }
            return isFull
        case RD_KAFKA_EVENT_LOG:
            unsafe client.log(event.pointer)
        default:
            logError(event)
        }
        return false
    }

    /// Waits until every message has its report, and gives the reports to a closure.
    ///
    /// - Parameters:
    ///   - timeoutMillis: How long to wait.
    ///   - body: Called for each report.
    /// - Returns: Whether none is left.
    public func flush(timeoutMillis: Int, _ body: (DeliveryReport) -> Void = { _ in }) -> Bool {
        var reports = DeliveryReports(capacity: 256)
        let deadline = Clock.monotonicMillis() + Int64(max(0, timeoutMillis))
        while true {
            let count = pollReports(&reports)
            for index in 0..<count { body(reports[index]) }
            if count > 0 { continue }
            if unreported == 0 { return true }
            let rest = deadline - Clock.monotonicMillis()
            if rest <= 0 { return false }
            // While it runs nothing lingers. It times out by design: it would wait for reports to be polled, too.
            _ = unsafe rd_kafka_flush(client.pointer, Int32(min(rest, 5)))
        }
    }

    /// The error that has made the producer useless, if any; what was queued then ends in reports.
    public var fatalError: KafkaError? { client.fatalError }

    /// Drops what is queued or in flight; the reports still have to be polled.
    public func purge() {
        // Fails only for what is no producer.
        _ = unsafe rd_kafka_purge(client.pointer, Int32(RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT))
    }

    private func logError(_ event: borrowing ClientEvent) {
        guard let error = event.error else { return }
        client.logger.log(
            error.isFatal ? .error : .warning,
            "the Kafka producer reports an error",
            ["kafka.client.id": client.clientID, "kafka.error": error.name, "kafka.message": error.message]
        )
    }
}
