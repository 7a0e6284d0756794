internal import CRdKafka

/// A topic that a producer writes to, known to exist.
///
/// Its creation has asked the brokers for the topic's leaders, so that the first message does not wait for them.
@safe
public final class ProducerTopic {
    /// The topic's name.
    public let name: String
    /// How many partitions it has, as far as known.
    public private(set) var partitionCount: Int
    private let client: ClientHandle
    private let topic: OpaquePointer

    init(_ name: String, client: ClientHandle, timeoutMillis: Int) throws(KafkaError) {
        guard let topic = unsafe rd_kafka_topic_new(client.pointer, name, nil) else {
            throw KafkaError(rd_kafka_last_error(), "topic \"\(name)\"")
        }
        do throws(KafkaError) {
            partitionCount = try unsafe client.partitionCount(
                ofTopic: topic,
                named: name,
                timeoutMillis: timeoutMillis
            )
        } catch {
            unsafe rd_kafka_topic_destroy(topic)
            throw error
        }
        self.name = name
        self.client = client
        unsafe self.topic = topic
    }

    deinit { unsafe rd_kafka_topic_destroy(topic) }

    /// Asks again how many partitions there are.
    ///
    /// - Parameter timeoutMillis: How long to wait.
    /// - Throws: When the topic is gone or no answer came.
    public func refresh(timeoutMillis: Int) throws(KafkaError) {
        partitionCount = try unsafe client.partitionCount(ofTopic: topic, named: name, timeoutMillis: timeoutMillis)
    }

    /// Puts a message with at most one header into the queue.
    func write(
        partition: Int32,
        key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?,
        header: HeaderReference?,
        opaque: UInt64,
        timestampMillis: Int64
    ) -> ProduceResult {
        guard partition < partitionCount else { return .failed(code: KafkaError.unknownPartition) }
        let name = unsafe header.map { unsafe UnsafeRawPointer($0.name.utf8Start).assumingMemoryBound(to: CChar.self) }
        let code = unsafe CRdKafka_producev_header(
            client.pointer,
            topic,
            partition,
            ProducerTopic.start(of: key),
            key?.count ?? 0,
            ProducerTopic.start(of: value),
            value?.count ?? 0,
            name,
            header?.value.baseAddress,
            header?.value.count ?? 0,
            opaque,
            timestampMillis
        )
        return ProducerTopic.result(of: code)
    }

    /// Puts a message with any headers into the queue.
    func write(
        partition: Int32,
        key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?,
        headers: [(String, [UInt8]?)],
        opaque: UInt64,
        timestampMillis: Int64
    ) -> ProduceResult {
        guard partition < partitionCount else { return .failed(code: KafkaError.unknownPartition) }
        guard let list = unsafe rd_kafka_headers_new(headers.count) else {
            return .failed(code: KafkaError.invalidArgument)
        }
        for (name, value) in headers {
            // Refused only by a list that is read-only, which a new one is not.
            _ = unsafe (value ?? []).withUnsafeBytes { bytes in
                let start = unsafe value == nil ? nil : ProducerTopic.start(of: bytes)
                return unsafe rd_kafka_header_add(list, name, -1, start, bytes.count)
            }
        }
        let code = unsafe CRdKafka_produceva_headers(
            client.pointer,
            topic,
            partition,
            ProducerTopic.start(of: key),
            key?.count ?? 0,
            ProducerTopic.start(of: value),
            value?.count ?? 0,
            list,
            opaque,
            timestampMillis
        )
        // librdkafka owns the headers only of what it has queued.
        if code != RD_KAFKA_RESP_ERR_NO_ERROR { unsafe rd_kafka_headers_destroy(list) }
        return ProducerTopic.result(of: code)
    }

    /// Where bytes begin; nil is null, and no bytes begin somewhere.
    private static func start(of bytes: UnsafeRawBufferPointer?) -> UnsafeRawPointer? {
        guard let bytes = unsafe bytes else { return nil }
        let empty: StaticString = ""
        return unsafe bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
    }

    private static func result(of code: rd_kafka_resp_err_t) -> ProduceResult {
        switch code {
        case RD_KAFKA_RESP_ERR_NO_ERROR: .queued
        case RD_KAFKA_RESP_ERR__QUEUE_FULL: .queueFull
        default: .failed(code: code.rawValue)
        }
    }
}
