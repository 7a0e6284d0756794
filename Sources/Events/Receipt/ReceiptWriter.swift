internal import Cryptography

/// Writes receipts: CloudEvents of type `push.receipt` in structured mode, into memory that it uses again.
///
/// Confined to one thread. The receipt and its key are valid until the next one is written.
public struct ReceiptWriter: ~Copyable {
    /// The content type of a receipt's record.
    public static let contentType: StaticString = "application/cloudevents+json"

    /// The version of a receipt's `data`.
    public static let dataSchema: StaticString = "urn:geopush:push.receipt:1"

    private let disclosure: TokenDisclosure
    private var value = ByteBuffer(capacity: 2_048)
    private var key = ByteBuffer(capacity: 256)
    private var hidden = ByteBuffer(capacity: 64)
    private var opening = ByteBuffer(capacity: 256)
    private var closing = ByteBuffer(capacity: 256)
    private var ids = ApnsIDGenerator()
    private var queuedAt = TimestampWriter()
    private var sentAt = TimestampWriter()
    private var answeredAt = TimestampWriter()

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - source: The CloudEvents `source` of its receipts, such as `/geopush/delivery`.
    ///   - worker: Which process wrote them.
    ///   - disclosure: What a receipt says of the token.
    public init(source: String, worker: String, disclosure: TokenDisclosure) {
        self.disclosure = disclosure
        opening.append(#"{"specversion":"1.0","type":"push.receipt","source":"#)
        opening.append(jsonString: source)
        opening.append(#","datacontenttype":"application/json","dataschema":""#)
        opening.append(Self.dataSchema)
        opening.append(#"","id":""#)
        closing.append(#","worker":"#)
        closing.append(jsonString: worker)
        closing.append(#","source":{"topic":"#)
    }

    /// The receipt written last.
    public var valueBytes: UnsafeRawBufferPointer { unsafe value.bytes }

    /// The key of the receipt written last: the device's id, else its token as disclosed, else the event's key.
    public var keyBytes: UnsafeRawBufferPointer { unsafe key.bytes }

    /// Writes one receipt.
    ///
    /// - Parameters:
    ///   - fields: What it says.
    ///   - eventSource: The `source` of the event, for the id of a receipt without `apns-id`.
    public mutating func write(_ fields: borrowing ReceiptFields, eventSource: UnsafeRawBufferPointer) {
        writeKey(fields)
        value.removeAll()
        unsafe value.append(opening.bytes)
        if unsafe fields.apnsID.count > 0 {
            unsafe value.append(jsonEscaped: fields.apnsID)
        } else {
            unsafe ids.setEvent(source: eventSource, eventID: fields.eventID)
            unsafe ids.append(token: fields.token, to: &value)
        }
        value.append(#"","subject":"#)
        unsafe value.append(jsonString: key.bytes)
        value.append(#","time":""#)
        answeredAt.append(millis: fields.atMillis, to: &value)
        value.append(#"","data":{"status":""#)
        value.append(fields.status.text)
        value.append(UInt8(ascii: "\""))
        writeOutcome(fields)
        writeIdentity(fields)
        writeTimes(fields)
        unsafe value.append(closing.bytes)
        unsafe value.append(jsonString: fields.topic)
        value.append(#","partition":"#)
        value.append(decimal: Int64(fields.partition))
        value.append(#","offset":"#)
        value.append(decimal: fields.offset)
        value.append("}}}")
    }

    private mutating func writeKey(_ fields: borrowing ReceiptFields) {
        key.removeAll()
        hidden.removeAll()
        let token = unsafe fields.token
        if disclosure == .hash && token.count > 0 { unsafe hidden.append(hex: Digest.sha256(token)) }
        if unsafe fields.deviceID.count > 0 {
            unsafe key.append(fields.deviceID)
        } else if hidden.count > 0 {
            unsafe key.append(hidden.bytes)
        } else if token.count > 0 {
            unsafe key.append(token)
        } else {
            unsafe key.append(fields.eventKey)
        }
    }

    private mutating func writeOutcome(_ fields: borrowing ReceiptFields) {
        unsafe write(#","reason":"#, fields.reason)
        if fields.httpStatus > 0 {
            value.append(#","httpStatus":"#)
            value.append(decimal: Int64(fields.httpStatus))
        }
        unsafe write(#","apnsId":"#, fields.apnsID)
        value.append(#","attempts":"#)
        value.append(decimal: Int64(fields.attempts))
        if fields.unregisteredAtMillis >= 0 {
            value.append(#","unregisteredAt":""#)
            var writer = TimestampWriter()
            writer.append(millis: fields.unregisteredAtMillis, to: &value)
            value.append(UInt8(ascii: "\""))
        }
    }

    private mutating func writeIdentity(_ fields: borrowing ReceiptFields) {
        unsafe write(#","eventId":"#, fields.eventID)
        unsafe write(#","campaignId":"#, fields.campaignID)
        unsafe write(#","locationId":"#, fields.locationID)
        unsafe write(#","deviceId":"#, fields.deviceID)
        if hidden.count > 0 {
            value.append(#","token":""#)
            unsafe value.append(hidden.bytes)
            value.append(UInt8(ascii: "\""))
        } else {
            unsafe write(#","token":"#, fields.token)
        }
        unsafe write(#","app":"#, fields.app)
        unsafe write(#","environment":"#, fields.environment)
    }

    private mutating func writeTimes(_ fields: borrowing ReceiptFields) {
        if fields.queuedAtMillis >= 0 {
            value.append(#","queuedAt":""#)
            queuedAt.append(millis: fields.queuedAtMillis, to: &value)
            value.append(UInt8(ascii: "\""))
        }
        if fields.sentAtMillis >= 0 {
            value.append(#","sentAt":""#)
            sentAt.append(millis: fields.sentAtMillis, to: &value)
            value.append(UInt8(ascii: "\""))
        }
        if fields.answeredAtMillis >= 0 {
            value.append(#","answeredAt":""#)
            answeredAt.append(millis: fields.answeredAtMillis, to: &value)
            value.append(UInt8(ascii: "\""))
        }
    }

    @inline(__always)
    private mutating func write(_ name: StaticString, _ text: UnsafeRawBufferPointer) {
        guard text.count > 0 else { return }
        value.append(name)
        unsafe value.append(jsonString: text)
    }
}
