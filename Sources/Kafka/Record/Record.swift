internal import CRdKafka
internal import Glibc

/// One message of a partition, freed when this value ends.
///
/// The memory belongs to librdkafka and stays where it is while the record lives, also when the record is moved. One
/// record keeps the whole fetch in memory that it came with.
@safe
public struct Record: ~Copyable {
    /// What was received.
    public enum Kind: Equatable, Sendable {
        /// A record.
        case data
        /// Nothing lies between the last record and ``Record/offset``, the end of the partition; it has no bytes.
        case endOfPartition
        /// The partition cannot be read for now, for the reason of this code.
        case failed(code: Int32)
    }

    private let message: UnsafeMutablePointer<rd_kafka_message_t>
    /// `rd_kafka_destroy` waits without end for a message that is still held.
    private let client: ClientHandle

    init(takingOwnershipOf message: UnsafeMutablePointer<rd_kafka_message_t>, client: ClientHandle) {
        unsafe self.message = message
        self.client = client
    }

    deinit { unsafe rd_kafka_message_destroy(message) }

    /// What was received.
    public var kind: Kind {
        let code = unsafe message.pointee.err
        if code == RD_KAFKA_RESP_ERR_NO_ERROR { return .data }
        return code == RD_KAFKA_RESP_ERR__PARTITION_EOF ? .endOfPartition : .failed(code: code.rawValue)
    }

    /// Whether this is a record, and not the end of the partition or an error.
    public var isData: Bool { unsafe message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR }

    /// The partition's number.
    public var partition: Int32 { unsafe message.pointee.partition }

    /// The record's offset; at the end of the partition, that of the record that will come next.
    public var offset: Int64 { unsafe message.pointee.offset }

    /// Milliseconds since 1970 when it was made or appended; -1 when unknown.
    public var timestampMillis: Int64 { unsafe rd_kafka_message_timestamp(message, nil) }

    /// The topic's name; makes a string.
    public var topic: String {
        guard let topic = unsafe message.pointee.rkt else { return "" }
        return unsafe String(cString: rd_kafka_topic_name(topic))
    }

    /// The topic's name in UTF-8; valid while the record lives.
    public var topicBytes: UnsafeRawBufferPointer {
        guard let topic = unsafe message.pointee.rkt, let name = unsafe rd_kafka_topic_name(topic) else {
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
    }

    /// The topic and the partition; makes a string.
    public var topicPartition: TopicPartition { TopicPartition(topic: topic, partition: partition) }

    /// The key, or nil when it is null.
    ///
    /// Valid while the record lives.
    public var key: UnsafeRawBufferPointer? {
        guard let bytes = unsafe message.pointee.key else { return nil }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: message.pointee.key_len)
    }

    /// The value: nil when it is null (a tombstone), empty when it has 0 bytes.
    ///
    /// Valid while the record lives.
    public var value: UnsafeRawBufferPointer? {
        guard isData, let bytes = unsafe message.pointee.payload else { return nil }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: message.pointee.len)
    }

    /// The value, of no bytes where it is null.
    public var valueBytes: RawSpan {
        @_lifetime(borrow self)
        get {
            let span = unsafe RawSpan(_unsafeBytes: value ?? UnsafeRawBufferPointer(start: nil, count: 0))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The error of a partition that cannot be read, in words; nil for a record and for the end.
    public var error: KafkaError? {
        guard case .failed = kind else { return nil }
        let text = unsafe rd_kafka_message_errstr(message).map { unsafe String(cString: $0) }
        return unsafe KafkaError(message.pointee.err, text)
    }
}

extension Record {
    /// All headers, to look at one after the other; nil when there are none.
    ///
    /// The first look parses them all. Valid while the record lives.
    public var headerList: RecordHeaders? {
        guard let headers = unsafe headers else { return nil }
        return unsafe RecordHeaders(headers)
    }

    /// The value of the last header of a name, which is the one that counts.
    ///
    /// - Parameter name: The header's name.
    /// - Returns: Nil when there is none or its value is null. Valid while the record lives.
    public func header(_ name: StaticString) -> UnsafeRawBufferPointer? {
        guard let headers = unsafe headers else { return nil }
        var bytes: UnsafeRawPointer?
        var count = 0
        let text = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        guard unsafe rd_kafka_header_get_last(headers, text, &bytes, &count) == RD_KAFKA_RESP_ERR_NO_ERROR,
            let bytes = unsafe bytes
        else { return nil }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// Parsed by librdkafka at the first call and kept in the message; nil when there are none, or when they are not
    /// what the protocol says.
    private var headers: OpaquePointer? {
        var headers: OpaquePointer?
        guard unsafe rd_kafka_message_headers(message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return unsafe headers
    }
}
