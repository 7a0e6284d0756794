internal import Events
internal import Kafka

/// What of a lane's receipts Kafka has not acknowledged yet.
///
/// A record that Kafka refuses is kept and written again: an offset is only committed over acknowledged receipts, so a
/// receipt given up would hold its partition for ever.
struct ReceiptOutbox: ~Copyable {
    /// A record that was refused.
    struct Refused {
        let isReceipt: Bool
        let partition: Int32
        let key: [UInt8]
        let value: [UInt8]
        let origin: UInt64
    }

    /// Pause before refused records are written again, in milliseconds.
    static let pauseMillis: Int64 = 1_000

    private(set) var writer: ReceiptWriter
    var fields = ReceiptFields()
    /// Records handed to the producer, or refused and kept, whose acknowledgement has not come.
    private(set) var unacknowledged = 0
    /// Pushes of which two records must be acknowledged and neither is yet.
    private var paired: Set<UInt64> = []
    private var refused: [Refused] = []
    private(set) var retryAtMillis: Int64?

    init(worker: String, disclosure: TokenDisclosure) {
        writer = ReceiptWriter(source: "/geopush/delivery", worker: worker, disclosure: disclosure)
    }

    /// Writes the receipt of what the fields say.
    mutating func write() { unsafe writer.write(fields, eventSource: fields.topic) }

    /// The record for the topic of unregistered tokens that was written last.
    private(set) var unregisteredKey = ByteBuffer(capacity: 256)
    private(set) var unregisteredValue = ByteBuffer(capacity: 512)

    /// Writes `{token, app, environment, unregisteredAt}`, keyed by the device, else by the token.
    mutating func writeUnregistered(
        _ push: borrowing PushRecord,
        token: UnsafeRawBufferPointer,
        app: [UInt8],
        atMillis: Int64
    ) {
        unregisteredKey.removeAll()
        unsafe unregisteredKey.append(push.has(.deviceID) ? ReceiptFields.text(push[.deviceID]) : token)
        unregisteredValue.removeAll()
        unregisteredValue.append(#"{"token":"#)
        unsafe unregisteredValue.append(jsonString: token)
        unregisteredValue.append(#","app":"#)
        unsafe app.withUnsafeBytes { unsafe unregisteredValue.append(jsonString: $0) }
        unregisteredValue.append(#","environment":""#)
        if push.has(.environment) {
            unsafe unregisteredValue.append(push[.environment])
        } else {
            unregisteredValue.append("production")
        }
        unregisteredValue.append(#"","unregisteredAt":""#)
        var writer = TimestampWriter()
        writer.append(millis: atMillis, to: &unregisteredValue)
        unregisteredValue.append(#""}"#)
    }

    /// A record was handed over.
    mutating func handedOver() { unacknowledged += 1 }

    /// The push has a second record, on the topic of unregistered tokens.
    mutating func pair(_ origin: UInt64) { paired.insert(origin) }

    /// A record was acknowledged.
    ///
    /// - Returns: True when the push has nothing else to wait for.
    mutating func acknowledged(_ origin: UInt64) -> Bool {
        unacknowledged -= 1
        return paired.isEmpty || paired.remove(origin) == nil
    }

    /// A record was refused, at once or later: it is kept, and still counts as unacknowledged.
    mutating func keep(_ record: Refused, nowMillis: Int64) {
        refused.append(record)
        if retryAtMillis == nil { retryAtMillis = nowMillis + Self.pauseMillis }
    }

    /// The refused records that are due to be written again; they are forgotten here.
    mutating func takeDue(nowMillis: Int64) -> [Refused] {
        guard let due = retryAtMillis, due <= nowMillis else { return [] }
        retryAtMillis = nil
        defer { refused.removeAll() }
        return refused
    }
}
