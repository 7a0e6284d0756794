/// A growable buffer of bytes that is filled, read and emptied again without giving its memory back.
///
/// It is what keeps one allocation a push away from the hot path: once it has seen its largest content, nothing is
/// allocated any more. Confined to one thread.
@safe
public struct ByteBuffer: ~Copyable {
    private var storage: UnsafeMutableRawPointer

    /// How many bytes it holds.
    public private(set) var count: Int

    /// How many bytes fit before it grows.
    public private(set) var capacity: Int

    /// Makes an empty buffer.
    ///
    /// - Parameter capacity: Bytes reserved at once.
    public init(capacity: Int = 256) {
        let reserved = max(capacity, 64)
        unsafe storage = UnsafeMutableRawPointer.allocate(byteCount: reserved, alignment: 16)
        self.capacity = reserved
        count = 0
    }

    deinit { unsafe storage.deallocate() }

    /// The content; valid until the next change.
    public var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: storage, count: count)
    }

    /// Lends a part of the content; valid until the next change.
    ///
    /// - Parameter range: Offsets inside the content; clamped to it.
    /// - Returns: The bytes.
    public func bytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
        let part = range.clamped(to: 0..<count)
        return unsafe UnsafeRawBufferPointer(start: storage + part.lowerBound, count: part.count)
    }

    /// Empties it and keeps its memory.
    public mutating func removeAll() { count = 0 }

    /// Cuts it back to its beginning.
    ///
    /// - Parameter length: Bytes to keep; no effect when it holds fewer.
    public mutating func truncate(to length: Int) {
        if length < count { count = max(length, 0) }
    }

    /// Makes room for more bytes.
    ///
    /// - Parameter additional: Bytes that will be appended next.
    @inline(__always)
    public mutating func reserve(_ additional: Int) {
        if capacity &- count < additional { grow(additional) }
    }

    @inline(never)
    private mutating func grow(_ additional: Int) {
        let larger = max(capacity * 2, count + additional)
        let next = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe next.copyMemory(from: storage, byteCount: count)
        unsafe storage.deallocate()
        unsafe storage = next
        capacity = larger
    }

    /// Appends one byte.
    @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe storage.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends one byte for which room was reserved.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        assert(count < capacity)
        unsafe storage.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends eight bytes, the lowest first, for which room was reserved.
    @inline(__always)
    mutating func put(word: UInt64) {
        assert(count &+ 8 <= capacity)
        unsafe storage.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= 8
    }

    /// Appends bytes for which room was reserved, written by a closure in any order.
    @inline(__always)
    mutating func put(count added: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        assert(count &+ added <= capacity)
        unsafe write(UnsafeMutableRawBufferPointer(start: storage + count, count: added))
        count &+= added
    }

    /// Appends bytes that do not lie in this buffer.
    @inline(__always)
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe (storage + count).copyMemory(from: base, byteCount: bytes.count)
        count &+= bytes.count
    }

    /// Appends constant text.
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        unsafe (storage + count).copyMemory(from: text.utf8Start, byteCount: length)
        count &+= length
    }

    /// Appends the UTF-8 of a text; not for the hot path.
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends some bytes of fixed memory.
    ///
    /// - Parameters:
    ///   - bytes: Fixed memory.
    ///   - range: Which of its bytes.
    @inline(__always)
    public mutating func append<let size: Int>(_ bytes: borrowing InlineArray<size, UInt8>, _ range: Range<Int>) {
        unsafe bytes.span.extracting(range).withUnsafeBytes { unsafe append($0) }
    }

    /// Overwrites a byte of the content.
    ///
    /// - Parameters:
    ///   - byte: The new byte.
    ///   - offset: Where; no effect outside the content.
    @inline(__always)
    public mutating func replace(_ byte: UInt8, at offset: Int) {
        guard offset >= 0 && offset < count else { return }
        unsafe storage.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
}
