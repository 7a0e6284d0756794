public import HTTP2

/// Writes the headers of a push, with memory that is used again for the next.
///
/// `:path`, `authorization` and `apns-id` are not indexed: the first and the last are never the same again, and the
/// second is a secret. Apple's table for the others is small, and they repeat.
@safe
public struct PushHeaders: ~Copyable {
    private static let pathPrefix: StaticString = "/3/device/"
    private static let expirationDigitsMax = 20

    private let memory: UnsafeMutableRawBufferPointer
    private let authority: UnsafeMutableRawBufferPointer

    /// Prepares headers for one endpoint.
    ///
    /// - Parameter authority: Host, and port where it is not 443.
    public init(authority: String) {
        let bytes = Array(authority.utf8)
        unsafe self.authority = .allocate(byteCount: bytes.count, alignment: 1)
        unsafe self.authority.copyBytes(from: bytes)
        let size = Self.pathPrefix.utf8CodeUnitCount + PushRequest.tokenDigitsMax + Self.expirationDigitsMax
        unsafe memory = .allocate(byteCount: size, alignment: 1)
        unsafe memory.copyMemory(
            from: UnsafeRawBufferPointer(start: Self.pathPrefix.utf8Start, count: Self.pathPrefix.utf8CodeUnitCount)
        )
    }

    deinit {
        unsafe memory.deallocate()
        unsafe authority.deallocate()
    }

    /// Writes the headers of a push.
    ///
    /// - Parameters:
    ///   - push: The push; its values are borrowed until the request is final.
    ///   - authorization: The provider token (``ProviderToken/authorization``); copied when the request is submitted.
    ///   - headers: Where to; its content is replaced.
    public mutating func write(
        _ push: PushRequest,
        authorization: UnsafeRawBufferPointer,
        to headers: inout RequestHeaders
    ) {
        headers.removeAll()
        headers.add(":method", "POST")
        headers.add(":scheme", "https")
        unsafe headers.add(":authority", UnsafeRawBufferPointer(authority), indexed: true, copied: false)
        unsafe headers.add(":path", path(push.token), indexed: false, copied: true)
        unsafe headers.add("authorization", authorization, indexed: false, copied: true)
        unsafe headers.add("apns-topic", push.topic, indexed: true, copied: false)
        headers.add("apns-push-type", push.type.name)
        headers.add("apns-priority", push.priority.name)
        unsafe headers.add("apns-expiration", digits(push.expirationSeconds), indexed: true, copied: true)
        if unsafe push.collapseID.count > 0 {
            unsafe headers.add("apns-collapse-id", push.collapseID, indexed: true, copied: false)
        }
        if unsafe push.apnsID.count > 0 {
            unsafe headers.add("apns-id", push.apnsID, indexed: false, copied: false)
        }
    }

    /// `/3/device/` and the device token in lower case.
    private func path(_ token: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = Self.pathPrefix.utf8CodeUnitCount
        // A checked token has no more digits; hexadecimal digits have the bit 0x20 set or get it.
        let count = min(token.count, PushRequest.tokenDigitsMax)
        for index in 0..<count { unsafe memory[start &+ index] = token[index] | 0x20 }
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
}
