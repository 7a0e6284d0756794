internal import CRdKafka

/// What became of one message.
public struct DeliveryReport: Equatable, Sendable {
    /// Whether the message may be in the topic.
    public enum Persistence: Sendable {
        /// It was never sent.
        case none
        /// It was sent, and no answer came.
        case possible
        /// It is there.
        case acknowledged
    }

    /// The number given with the message.
    public let opaque: UInt64
    /// Why it failed; 0 when it is acknowledged.
    public let code: Int32
    /// Whether it may be in the topic.
    public let persistence: Persistence
    /// The partition that it is in, or was for.
    public let partition: Int32
    /// Its offset there, once it is acknowledged.
    public let offset: Int64

    /// Whether the broker has acknowledged the message.
    public var isAcknowledged: Bool { code == 0 }
}

/// A message that will not be in its topic, or may not be: what is needed to produce it again.
public struct FailedMessage: Equatable, Sendable {
    /// The number given with the message.
    public let opaque: UInt64
    /// Why it failed.
    public let code: Int32
    /// The topic that it was for.
    public let topic: String
    /// The partition that it was for; -1 when none was chosen yet.
    public let partition: Int32
    /// Its key; nil is null.
    public let key: [UInt8]?
    /// Its value; nil is null.
    public let value: [UInt8]?
}

/// A reused buffer of delivery reports.
@safe
public struct DeliveryReports: ~Copyable {
    /// The most reports that it holds.
    public let capacity: Int
    /// How many the last poll has left here.
    public private(set) var count = 0
    /// The messages of the failed reports in here, in their order; empty as a rule.
    public private(set) var failures: [FailedMessage] = []
    private let reports: UnsafeMutablePointer<CRdKafka_report>

    /// Makes an empty buffer.
    ///
    /// - Parameter capacity: The most reports that one poll takes, at least 1.
    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        unsafe reports = .allocate(capacity: self.capacity)
    }

    deinit { unsafe reports.deallocate() }

    /// The report at an index below ``count``.
    public subscript(_ index: Int) -> DeliveryReport {
        precondition(index >= 0 && index < count, "index out of range")
        let (opaque, code, status) = unsafe (reports[index].opaque, reports[index].error, reports[index].status)
        let persistence: DeliveryReport.Persistence =
            switch status {
            case Int32(RD_KAFKA_MSG_STATUS_PERSISTED.rawValue): .acknowledged
            case Int32(RD_KAFKA_MSG_STATUS_POSSIBLY_PERSISTED.rawValue): .possible
            default: .none
            }
        return unsafe DeliveryReport(
            opaque: opaque,
            code: code,
            persistence: persistence,
            partition: reports[index].partition,
            offset: reports[index].offset
        )
    }

    mutating func removeAll() {
        count = 0
        if !failures.isEmpty { failures.removeAll() }
    }

    /// Moves reports out of an event, as many as fit.
    ///
    /// - Parameter event: An event with delivery reports.
    /// - Returns: Whether the event may hold more.
    mutating func append(from event: borrowing ClientEvent) -> Bool {
        let taken = unsafe CRdKafka_event_reports(event.pointer, reports + count, capacity - count)
        for index in count..<count + taken {
            if let message = unsafe reports[index].failed { unsafe failures.append(FailedMessage(copying: message)) }
        }
        count += taken
        return count == capacity
    }
}

extension FailedMessage {
    /// Copies the message of a report, before its event is gone.
    fileprivate init(copying message: UnsafePointer<rd_kafka_message_t>) {
        opaque = unsafe UInt64(UInt(bitPattern: message.pointee._private))
        code = unsafe message.pointee.err.rawValue
        topic = unsafe message.pointee.rkt.map { unsafe String(cString: rd_kafka_topic_name($0)) } ?? ""
        partition = unsafe message.pointee.partition
        key = unsafe message.pointee.key.map {
            unsafe Array(UnsafeRawBufferPointer(start: $0, count: message.pointee.key_len))
        }
        value = unsafe message.pointee.payload.map {
            unsafe Array(UnsafeRawBufferPointer(start: $0, count: message.pointee.len))
        }
    }
}
