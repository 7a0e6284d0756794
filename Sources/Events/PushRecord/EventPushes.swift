/// The push records of one event, one after the other, in memory that is used again.
///
/// There may be 10,000 in one event, so nothing is allocated for one of them. Set to an event by ``begin(_:record:nowMillis:)``; then ``next(_:)`` until it says finished. The body of every push
/// is ``EventParser/body``.
public struct EventPushes: ~Copyable {
    /// What the next thing to write is.
    public enum Step: Sendable, Equatable {
        /// A push record: ``keyBytes``, ``headerBytes`` and the parser's body.
        case push

        /// A receipt: ``receiptKeyBytes`` and ``receiptValueBytes``.
        case receipt

        /// Nothing more.
        case finished
    }

    /// The reason of a device's receipt whose token is malformed.
    public static let invalidToken: StaticString = "geopush:invalid-token"

    /// The reason of an event's receipt that came too late.
    public static let expired: StaticString = "geopush:expired"

    /// The latest time that APNs' header takes, in the year 5138; more is taken for milliseconds by mistake.
    static let expirationSecondsMax: Int64 = 100_000_000_000

    /// The most bytes of a malformed token that its receipt repeats.
    private static let tokenBytesMax = 256

    private var key = ByteBuffer(capacity: 512)
    private var header = ByteBuffer(capacity: 2_048)
    private var headerLength = 0
    private var ids = ApnsIDGenerator()
    private var receipts: ReceiptWriter
    private var fields = ReceiptFields()
    private var index = 0
    private var count = 0
    private var isExpired = false

    /// Makes an iterator.
    ///
    /// - Parameter receipts: Writes the receipts of devices that get no push.
    public init(receipts: consuming ReceiptWriter) { self.receipts = receipts }

    /// The push record's key: the token in lower case.
    public var keyBytes: UnsafeRawBufferPointer { unsafe key.bytes }

    /// The value of the push record's one header, `push`.
    public var headerBytes: UnsafeRawBufferPointer { unsafe header.bytes }

    /// The receipt's key.
    public var receiptKeyBytes: UnsafeRawBufferPointer { unsafe receipts.keyBytes }

    /// The receipt.
    public var receiptValueBytes: UnsafeRawBufferPointer { unsafe receipts.valueBytes }

    /// Sets it to the event that a parser has just read.
    ///
    /// - Parameters:
    ///   - parser: The parser; its outcome was ``EventOutcome/event``.
    ///   - record: The event's record.
    ///   - nowMillis: The wall clock, the `queued-at` of its pushes.
    public mutating func begin(_ parser: borrowing EventParser, record: EventRecord, nowMillis: Int64) {
        let event = parser.event
        index = 0
        isExpired = event.isExpired
        count = event.isExpired ? 1 : event.hasAudience ? parser.deviceCount : 0
        guard count > 0 else { return }
        unsafe ids.setEvent(source: event.source, eventID: event.id)
        beginFields(event, record, nowMillis)
        beginHeader(event, parser, nowMillis)
    }

    /// Makes the next record.
    ///
    /// - Parameter parser: The parser given to ``begin(_:record:nowMillis:)``, which has read nothing since.
    /// - Returns: What it made.
    public mutating func next(_ parser: borrowing EventParser) -> Step {
        guard index < count else { return .finished }
        defer { index &+= 1 }
        if isExpired {
            writeExpired(parser)
            return .receipt
        }
        let entry = parser.devices[index]
        let token = unsafe parser.text(at: entry.token)
        key.removeAll()
        guard entry.isValid, unsafe TokenText.appendNormalized(token, to: &key) else {
            writeInvalid(entry, parser)
            return .receipt
        }
        header.truncate(to: headerLength)
        header.append(PushField.apnsID.name)
        header.append(": ")
        unsafe ids.append(token: key.bytes, to: &header)
        header.append("\n")
        if entry.deviceID != 0 { unsafe header.append(.deviceID, parser.text(at: entry.deviceID)) }
        if entry.isSandbox { header.append(.environment, "sandbox") } else { header.append(.environment, "production") }
        return .push
    }

    private mutating func beginHeader(_ event: ParsedEvent, _ parser: borrowing EventParser, _ nowMillis: Int64) {
        header.removeAll()
        header.append(.version, "1")
        if let topic = unsafe parser.topic(ofApp: event.appIndex) { unsafe header.append(.apnsTopic, topic) }
        if event.isVisible { header.append(.apnsPushType, "alert") } else { header.append(.apnsPushType, "background") }
        header.append(.apnsPriority, decimal: Int64(event.priority))
        header.append(.apnsExpiration, decimal: min(event.expiresAtMillis / 1_000, Self.expirationSecondsMax))
        unsafe header.append(.apnsCollapseID, parser.collapseID)
        unsafe header.append(.app, event.app)
        unsafe header.append(.eventID, event.id)
        if unsafe event.campaignID.count > 0 { unsafe header.append(.campaignID, event.campaignID) }
        if unsafe event.locationID.count > 0 { unsafe header.append(.locationID, event.locationID) }
        if event.revision >= 0 { header.append(.revision, decimal: event.revision) }
        header.append(.queuedAt, decimal: nowMillis)
        if unsafe event.traceParent.count > 0 { unsafe header.append(.traceparent, event.traceParent) }
        headerLength = header.count
    }

    private mutating func beginFields(_ event: ParsedEvent, _ record: EventRecord, _ nowMillis: Int64) {
        fields = ReceiptFields()
        unsafe fields.eventID = event.id
        unsafe fields.campaignID = event.campaignID
        unsafe fields.locationID = event.locationID
        unsafe fields.app = event.app
        unsafe fields.topic = record.topic
        fields.partition = record.partition
        fields.offset = record.offset
        fields.atMillis = nowMillis
        let key = unsafe record.key
        let named = if let key = unsafe key, key.count > 0 { unsafe key } else { unsafe event.key }
        unsafe fields.eventKey = ReceiptFields.text(named)
    }

    private mutating func writeExpired(_ parser: borrowing EventParser) {
        fields.status = .expired
        unsafe fields.reason = Self.expired.bytes
        unsafe receipts.write(fields, eventSource: parser.event.source)
    }

    private mutating func writeInvalid(_ entry: DeviceTable.Entry, _ parser: borrowing EventParser) {
        let token = unsafe parser.text(at: entry.token)
        fields.status = .rejected
        unsafe fields.reason = Self.invalidToken.bytes
        unsafe fields.token = token.part(0, min(token.count, Self.tokenBytesMax))
        unsafe fields.deviceID =
            entry.deviceID == 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : parser.text(at: entry.deviceID)
        unsafe fields.environment = entry.isSandbox ? ("sandbox" as StaticString).bytes : Self.production.bytes
        unsafe receipts.write(fields, eventSource: parser.event.source)
    }

    private static let production: StaticString = "production"
}
