/// The open requests of a connection, by slot, and the order of their deadlines.
///
/// All deadlines of a connection are equally long, so their order is that of opening: a list linked through the slots.
struct StreamTable {
    /// The most of a response's body that is kept, in bytes.
    static let bodyBytesMax = 8_192

    @safe
    struct Stream {
        var tag: UInt32 = 0
        /// 0 when the slot is free.
        var streamID: Int32 = 0
        var status: UInt16 = 0
        var retryAfterSeconds: Int32 = -1
        var deadlineMillis: Int64 = 0
        var previous: Int32 = -1
        var next: Int32 = -1
        var bodyOffset = 0
        var body: UnsafeRawBufferPointer
    }

    private var streams: [Stream] = []
    private var bodies: [[UInt8]] = []
    private var free: [Int32] = []
    private var oldest: Int32 = -1
    private var newest: Int32 = -1
    /// How many requests are open.
    private(set) var openCount = 0

    init() {}

    /// Opens a request.
    ///
    /// - Parameters:
    ///   - tag: The caller's name for it.
    ///   - body: Its body, which stays the caller's.
    ///   - deadlineMillis: Not before that of any open request.
    /// - Returns: Its slot.
    mutating func open(tag: UInt32, body: UnsafeRawBufferPointer, deadlineMillis: Int64) -> Int32 {
        let slot: Int32
        if let known = free.popLast() {
            slot = known
        } else {
            slot = Int32(streams.count)
            unsafe streams.append(Stream(body: body))
            bodies.append([])
        }
        let index = Int(slot)
        unsafe streams[index] = Stream(tag: tag, deadlineMillis: deadlineMillis, previous: newest, body: body)
        if newest >= 0 { streams[Int(newest)].next = slot } else { oldest = slot }
        newest = slot
        openCount += 1
        return slot
    }

    /// Ends a request; its slot and response stay until ``release(_:)``.
    mutating func close(_ slot: Int32) {
        let (previous, next) = (streams[Int(slot)].previous, streams[Int(slot)].next)
        if previous >= 0 { streams[Int(previous)].next = next } else { oldest = next }
        if next >= 0 { streams[Int(next)].previous = previous } else { newest = previous }
        streams[Int(slot)].streamID = 0
        openCount -= 1
    }

    /// Gives a closed slot back.
    mutating func release(_ slot: Int32) {
        bodies[Int(slot)].removeAll(keepingCapacity: true)
        free.append(slot)
    }

    /// The request that was opened first, or -1.
    var oldestSlot: Int32 { oldest }

    subscript(_ slot: Int32) -> Stream {
        get { streams[Int(slot)] }
        _modify { yield &streams[Int(slot)] }
    }

    /// Keeps a part of a response's body, up to the bound.
    mutating func appendBody(_ slot: Int32, _ bytes: UnsafeRawBufferPointer) {
        let room = Self.bodyBytesMax - bodies[Int(slot)].count
        unsafe bodies[Int(slot)].append(contentsOf: bytes.prefix(max(0, room)))
    }

    /// The body of a response.
    func body(_ slot: Int32) -> [UInt8] { bodies[Int(slot)] }
}
