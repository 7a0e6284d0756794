/// One header of a request.
@safe
public struct HeaderField {
    /// Its name, in lower case.
    public let name: StaticString
    /// Its value; borrowed.
    public let value: UnsafeRawBufferPointer
    /// Whether the peer shall remember it for later requests on the connection (HPACK).
    public let isIndexed: Bool
    /// Whether the value is gone at the next push, and must be copied now.
    public let isCopied: Bool
}

/// Makes the headers of a push, one after another in memory that is used again.
///
/// `:path`, `authorization` and `apns-id` are not indexed: the first and the last are never the same again, and the
/// second is a secret. Apple's table for the others is small, and they repeat.
@safe
public struct PushHeaders: ~Copyable {
    private static let pathPrefix: StaticString = "/3/device/"
    private static let expirationDigitsMax = 20

    private let memory: UnsafeMutableRawBufferPointer
    private let authority: UnsafeMutableRawBufferPointer
    private var fields: InlineArray<11, HeaderField>
    /// How many headers the last push has.
    public private(set) var count = 0

    /// Prepares headers for one endpoint.
    ///
    /// - Parameter authority: Host, and port where it is not 443.
    public init(authority: String) {
        let bytes = Array(authority.utf8)
        unsafe self.authority = .allocate(byteCount: max(1, bytes.count), alignment: 1)
        unsafe self.authority.copyBytes(from: bytes)
        let size = Self.pathPrefix.utf8CodeUnitCount + PushRequest.tokenDigitsMax + Self.expirationDigitsMax
        unsafe memory = .allocate(byteCount: size, alignment: 1)
        unsafe memory.copyMemory(from: Self.bytes(Self.pathPrefix))
        let named = unsafe UnsafeRawBufferPointer(rebasing: self.authority[..<bytes.count])
        fields = InlineArray(repeating: unsafe Self.field(":method", Self.bytes("POST")))
        fields[1] = unsafe Self.field(":scheme", Self.bytes("https"))
        fields[2] = unsafe Self.field(":authority", named)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe authority.deallocate()
    }

    /// One header of the last push.
    public subscript(index: Int) -> HeaderField { fields[index] }

    /// Makes the headers of a push.
    ///
    /// - Parameters:
    ///   - push: The push; its values are borrowed.
    ///   - authorization: The provider token, borrowed (``ProviderToken/authorization``).
    public mutating func write(_ push: PushRequest, authorization: UnsafeRawBufferPointer) {
        fields[3] = unsafe HeaderField(name: ":path", value: path(push.token), isIndexed: false, isCopied: true)
        fields[4] = unsafe HeaderField(
            name: "authorization",
            value: authorization,
            isIndexed: false,
            isCopied: false
        )
        fields[5] = unsafe Self.field("apns-topic", push.topic)
        fields[6] = unsafe Self.field("apns-push-type", Self.bytes(push.type.name))
        fields[7] = unsafe Self.field("apns-priority", Self.bytes(push.priority.name))
        fields[8] = unsafe HeaderField(
            name: "apns-expiration",
            value: digits(push.expirationSeconds),
            isIndexed: true,
            isCopied: true
        )
        count = 9
        if unsafe push.collapseID.count > 0 {
            fields[count] = unsafe Self.field("apns-collapse-id", push.collapseID)
            count += 1
        }
        if unsafe push.apnsID.count > 0 {
            fields[count] = unsafe HeaderField(
                name: "apns-id",
                value: push.apnsID,
                isIndexed: false,
                isCopied: false
            )
            count += 1
        }
    }

    /// `/3/device/` and the device token in lower case.
    private func path(_ token: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = Self.pathPrefix.utf8CodeUnitCount
        // A checked token has no more digits; hexadecimal digits have the bit 0x20 set or get it.
        let count = min(token.count, PushRequest.tokenDigitsMax)
        for index in 0..<count { unsafe memory[start + index] = token[index] | 0x20 }
        return unsafe UnsafeRawBufferPointer(rebasing: memory[..<(start + count)])
    }

    private func digits(_ number: Int64) -> UnsafeRawBufferPointer {
        var rest = max(0, number)
        var start = unsafe memory.count
        repeat {
            start -= 1
            unsafe memory[start] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        } while rest > 0
        return unsafe UnsafeRawBufferPointer(rebasing: memory[start...])
    }

    private static func field(_ name: StaticString, _ value: UnsafeRawBufferPointer) -> HeaderField {
        unsafe HeaderField(name: name, value: value, isIndexed: true, isCopied: false)
    }

    private static func bytes(_ text: StaticString) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
