/// Reads receipts one after the other; confined to one thread.
public struct ReceiptReader: ~Copyable {
    private var document = JSONDocument()
    private var buffer = ByteBuffer(capacity: 2_048)

    /// Makes a reader.
    public init() {}

    /// Reads one receipt.
    ///
    /// - Parameter value: The value of its record.
    /// - Returns: The receipt; nil when it is no `push.receipt` in structured mode.
    public mutating func read(_ value: UnsafeRawBufferPointer) -> Receipt? {
        guard let root = try? unsafe document.parse(value) else { return nil }
        guard Self.text(root, "type") == "push.receipt" else { return nil }
        guard let data = root.member("data"), data.kind == .object, let status = Self.text(data, "status") else {
            return nil
        }
        var receipt = Receipt()
        receipt.id = Self.text(root, "id") ?? ""
        receipt.time = Self.text(root, "time") ?? ""
        receipt.status = status
        receipt.reason = Self.text(data, "reason")
        receipt.httpStatus = Self.integer(data, "httpStatus")
        receipt.apnsID = Self.text(data, "apnsId")
        receipt.attempts = Self.integer(data, "attempts") ?? 0
        receipt.unregisteredAt = Self.text(data, "unregisteredAt")
        receipt.eventID = Self.text(data, "eventId")
        receipt.campaignID = Self.text(data, "campaignId")
        receipt.locationID = Self.text(data, "locationId")
        receipt.deviceID = Self.text(data, "deviceId")
        receipt.token = Self.text(data, "token")
        receipt.app = Self.text(data, "app")
        receipt.environment = Self.text(data, "environment")
        receipt.queuedAt = Self.text(data, "queuedAt")
        receipt.sentAt = Self.text(data, "sentAt")
        receipt.answeredAt = Self.text(data, "answeredAt")
        receipt.worker = Self.text(data, "worker")
        buffer.removeAll()
        data.append(to: &buffer)
        receipt.dataJSON = unsafe String(decoding: buffer.bytes, as: UTF8.self)
        return receipt
    }

    private static func text(_ value: JSONValue, _ name: StaticString) -> String? {
        guard let bytes = unsafe value.member(name)?.string else { return nil }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    private static func integer(_ value: JSONValue, _ name: StaticString) -> Int? {
        value.member(name)?.integer.flatMap { Int(exactly: $0) }
    }
}
