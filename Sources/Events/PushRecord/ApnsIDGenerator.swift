internal import Cryptography

/// Makes the `apns-id` of a push: UUID version 5 of `source|event-id|token`.
///
/// So the same push of the same event has the same id however often it is made, which is what lets a receiver see that
/// two receipts are one push. Holds the event's part of the name, since an event has many devices.
public struct ApnsIDGenerator: ~Copyable {
    /// Bytes of an id as text.
    public static let length = 36

    /// 6ba7b811-9dad-11d1-80b4-00c04fd430c8, the namespace of URLs in RFC 9562.
    private let namespace: InlineArray<16, UInt8> = [
        0x6B, 0xA7, 0xB8, 0x11, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
    ]
    private var name = ByteBuffer(capacity: 512)
    private var eventLength = 0

    /// Makes a generator without an event.
    public init() {}

    /// Sets the event of the ids that follow.
    ///
    /// - Parameters:
    ///   - source: The CloudEvents `source`.
    ///   - eventID: The CloudEvents `id`.
    public mutating func setEvent(source: UnsafeRawBufferPointer, eventID: UnsafeRawBufferPointer) {
        name.removeAll()
        unsafe name.append(source)
        name.append(UInt8(ascii: "|"))
        unsafe name.append(eventID)
        name.append(UInt8(ascii: "|"))
        eventLength = name.count
    }

    /// Appends the id for a token as 36 bytes in lower case.
    ///
    /// - Parameters:
    ///   - token: The token, normalized; empty for a receipt that names no device.
    ///   - buffer: Where to.
    public mutating func append(token: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
        name.truncate(to: eventLength)
        unsafe name.append(token)
        let uuid = unsafe Digest.uuid5(namespace: namespace, name: name.bytes)
        buffer.reserve(Self.length)
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { buffer.put(UInt8(ascii: "-")) }
            buffer.put(ByteBuffer.hexDigit(uuid[index] >> 4))
            buffer.put(ByteBuffer.hexDigit(uuid[index] & 15))
        }
    }
}
