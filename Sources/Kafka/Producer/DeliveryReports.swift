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

    /// Whether the broker has acknowledged the message.
    public var isAcknowledged: Bool { code == 0 }
}

/// A reused buffer of delivery reports.
@safe
public struct DeliveryReports: ~Copyable {
    /// The most reports that it holds.
    public let capacity: Int
    /// How many the last poll has left here.
    public private(set) var count = 0
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
        let report = unsafe reports[index]
        let persistence: DeliveryReport.Persistence =
            switch report.status {
            case Int32(RD_KAFKA_MSG_STATUS_PERSISTED.rawValue): .acknowledged
            case Int32(RD_KAFKA_MSG_STATUS_POSSIBLY_PERSISTED.rawValue): .possible
            default: .none
            }
        return DeliveryReport(opaque: report.opaque, code: report.error, persistence: persistence)
    }

    mutating func removeAll() { count = 0 }

    /// Moves reports out of an event, as many as fit.
    ///
    /// - Parameter event: An event with delivery reports.
    /// - Returns: Whether the event may hold more.
    mutating func append(from event: borrowing ClientEvent) -> Bool {
        let taken = unsafe CRdKafka_event_reports(event.pointer, reports + count, capacity - count)
        count += taken
        return count == capacity
    }
}
