/// The open requests of a connection, by slot, and the order of their deadlines.
///
/// All deadlines of a connection are equally long, so their order is that of opening: a list linked through the slots.
/// A slot that is closed keeps its response until it is released.
@safe
struct StreamTable: ~Copyable {
    /// The most of a response's body that is kept, in bytes.
    static let bodyBytesMax = 8_192
    /// What most bodies of errors fit in, in bytes.
    private static let bodyBytesMin = 256

    @safe
    struct Stream {
        var tag: UInt32 = 0
        /// 0 when the slot is not open.
        var streamID: Int32 = 0
        var deadlineMillis: Int64 = 0
        /// Neighbours in the order of opening; `next` also links free slots.
        var previous: Int32 = -1
        var next: Int32 = -1
        /// The body of the request, and how much of it is sent.
        var body: UnsafeRawBufferPointer
        var bodyOffset = 0
        /// The final status; 0 before it.
        var status: UInt16 = 0
        var retryAfterSeconds: Int32 = -1
        /// The body of the response, in memory that stays with the slot.
        var responseBytes: UnsafeMutableRawPointer?
        var responseCapacity = 0
        var responseCount = 0

        var isBodySent: Bool { unsafe bodyOffset == body.count }
    }

    private var streams: UnsafeMutablePointer<Stream>
    private var capacity: Int
    /// The first slot never used.
    private var fresh: Int32 = 0
    private var free: Int32 = -1
    /// The request that was opened first, or -1.
    private(set) var oldest: Int32 = -1
    /// The request that was opened last, or -1.
    private(set) var newest: Int32 = -1
    /// How many requests are open.
    private(set) var openCount = 0

    /// Makes an empty table.
    ///
    /// - Parameter capacity: How many slots are made at once; it grows when they do not suffice.
    init(capacity: Int = 64) {
        self.capacity = max(1, capacity)
        unsafe streams = .allocate(capacity: self.capacity)
    }

    deinit {
        for index in 0..<Int(fresh) { unsafe streams[index].responseBytes?.deallocate() }
        unsafe streams.deallocate()
    }

    /// Opens a request.
    ///
    /// - Parameters:
    ///   - tag: The caller's name for it.
    ///   - body: Its body, which stays the caller's.
    ///   - deadlineMillis: Not before that of any open request.
    /// - Returns: Its slot.
    mutating func open(tag: UInt32, body: UnsafeRawBufferPointer, deadlineMillis: Int64) -> Int32 {
        let slot = takeSlot()
        let index = Int(slot)
        unsafe streams[index].tag = tag
        unsafe streams[index].deadlineMillis = deadlineMillis
        unsafe streams[index].previous = newest
        unsafe streams[index].next = -1
        unsafe streams[index].body = body
        unsafe streams[index].bodyOffset = 0
        unsafe streams[index].status = 0
        unsafe streams[index].retryAfterSeconds = -1
        if newest >= 0 { unsafe streams[Int(newest)].next = slot } else { oldest = slot }
        newest = slot
        openCount &+= 1
        return slot
    }

    private mutating func takeSlot() -> Int32 {
        if free >= 0 {
            let slot = free
            free = unsafe streams[Int(slot)].next
            return slot
        }
        if Int(fresh) == capacity { grow() }
        let slot = fresh
        unsafe (streams + Int(slot)).initialize(to: Stream(body: UnsafeRawBufferPointer(start: nil, count: 0)))
        fresh += 1
        return slot
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Stream>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: streams, count: capacity)
        unsafe streams.deallocate()
        unsafe streams = larger
        capacity *= 2
    }

    /// Ends a request; its slot and response stay until ``release(_:)``.
    mutating func close(_ slot: Int32) {
        let (previous, next) = unsafe (streams[Int(slot)].previous, streams[Int(slot)].next)
        if previous >= 0 { unsafe streams[Int(previous)].next = next } else { oldest = next }
        if next >= 0 { unsafe streams[Int(next)].previous = previous } else { newest = previous }
        unsafe streams[Int(slot)].streamID = 0
        openCount &-= 1
    }

    /// Gives a closed slot back.
    mutating func release(_ slot: Int32) {
        let index = Int(slot)
        unsafe streams[index].next = free
        unsafe streams[index].responseCount = 0
        if unsafe streams[index].responseCapacity > Self.bodyBytesMin {
            unsafe streams[index].responseBytes?.deallocate()
            unsafe streams[index].responseBytes = nil
            unsafe streams[index].responseCapacity = 0
        }
        free = slot
    }

    /// The stream in a slot that was opened.
    subscript(_ slot: Int32) -> Stream {
        _read { yield unsafe streams[Int(slot)] }
        nonmutating _modify { yield unsafe &streams[Int(slot)] }
    }

    /// Keeps a part of a response's body, up to the bound.
    mutating func appendResponse(_ slot: Int32, _ bytes: UnsafeRawBufferPointer) {
        let index = Int(slot)
        let kept = unsafe streams[index].responseCount
        let count = min(bytes.count, Self.bodyBytesMax - kept)
        guard count > 0, let source = bytes.baseAddress else { return }
        if unsafe kept + count > streams[index].responseCapacity { makeRoom(index, kept + count) }
        unsafe streams[index].responseBytes?.advanced(by: kept).copyMemory(from: source, byteCount: count)
        unsafe streams[index].responseCount = kept + count
    }

    private mutating func makeRoom(_ index: Int, _ needed: Int) {
        let capacity = needed <= Self.bodyBytesMin ? Self.bodyBytesMin : Self.bodyBytesMax
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        if let old = unsafe streams[index].responseBytes {
            unsafe larger.copyMemory(from: old, byteCount: streams[index].responseCount)
            unsafe old.deallocate()
        }
        unsafe streams[index].responseBytes = larger
        unsafe streams[index].responseCapacity = capacity
    }

    /// The body of a response; valid until the slot is released or more is appended.
    func response(_ slot: Int32) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(
            start: streams[Int(slot)].responseBytes,
            count: streams[Int(slot)].responseCount
        )
    }
}
