internal import CNghttp2

/// The headers of one request, in an array that is used again for the next.
///
/// Names are constants. A value that is not copied must stay where it is until the request's final event.
@safe
public struct RequestHeaders: ~Copyable {
    private let storage: UnsafeMutablePointer<nghttp2_nv>
    /// The most headers.
    public let capacity: Int
    /// How many there are.
    public private(set) var count = 0

    /// Makes an empty list.
    ///
    /// - Parameter capacity: The most headers; further ones are refused.
    public init(capacity: Int = 16) {
        self.capacity = capacity
        unsafe storage = .allocate(capacity: capacity)
    }

    deinit { unsafe storage.deallocate() }

    /// Empties the list.
    public mutating func removeAll() { count = 0 }

    /// Adds one header.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - value: Its bytes, fit for a header.
    ///   - indexed: The compressor may keep it in its table, for values that come again.
    ///   - copied: The value is copied when the request is submitted.
    /// - Returns: False when the list is full.
    @discardableResult
    public mutating func add(
        _ name: StaticString,
        _ value: UnsafeRawBufferPointer,
        indexed: Bool,
        copied: Bool
    ) -> Bool {
        guard count < capacity else { return false }
        var flags = UInt32(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
        if !indexed { flags |= UInt32(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) }
        if !copied { flags |= UInt32(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue) }
        unsafe storage[count] = nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutableRawPointer(mutating: value.baseAddress)?.assumingMemoryBound(to: UInt8.self),
            namelen: name.utf8CodeUnitCount,
            valuelen: value.count,
            flags: UInt8(truncatingIfNeeded: flags)
        )
        count += 1
        return true
    }

    /// Adds a header with a constant value.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - value: Its text.
    /// - Returns: False when the list is full.
    @discardableResult
    public mutating func add(_ name: StaticString, _ value: StaticString) -> Bool {
        let bytes = unsafe UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
        return unsafe add(name, bytes, indexed: true, copied: false)
    }

    /// One header as text, to look at and not to send.
    public struct Header: Equatable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String
        /// The compressor may keep it in its table.
        public let isIndexed: Bool
        /// The value is copied when the request is submitted.
        public let isCopied: Bool
    }

    /// The header at an index below ``count``, as text.
    public subscript(_ index: Int) -> Header {
        precondition(index >= 0 && index < count, "index out of range")
        let header = unsafe storage[index]
        let flags = unsafe UInt32(header.flags)
        return unsafe Header(
            name: String(decoding: UnsafeBufferPointer(start: header.name, count: header.namelen), as: UTF8.self),
            value: String(decoding: UnsafeBufferPointer(start: header.value, count: header.valuelen), as: UTF8.self),
            isIndexed: flags & UInt32(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) == 0,
            isCopied: flags & UInt32(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue) == 0
        )
    }

    /// Lends the list to nghttp2.
    var pointer: UnsafeMutablePointer<nghttp2_nv> { unsafe storage }
}
