internal import Glibc

/// Bytes that are filled, emptied and filled again without giving their memory back.
@safe
struct GrowingBytes: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<UInt8>

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        unsafe self.start = .allocate(capacity: self.capacity)
    }

    deinit { unsafe start.deallocate() }

    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span(_unsafeStart: UnsafePointer(start), count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    mutating func removeAll() { count = 0 }

    mutating func truncate(to count: Int) { self.count = min(self.count, max(0, count)) }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe start[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        unsafe memcpy(start + count, source, bytes.count)
        count += bytes.count
    }

    /// The address of a byte; invalid after the next append.
    func pointer(at index: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe start + index
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let larger = max(capacity * 2, count + more)
        let moved: UnsafeMutablePointer<UInt8> = .allocate(capacity: larger)
        unsafe memcpy(moved, start, count)
        unsafe start.deallocate()
        unsafe start = moved
        capacity = larger
    }
}
