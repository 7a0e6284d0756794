internal import APNs
internal import Events
internal import Kafka

/// Where a push came from: what moves when its receipt is acknowledged.
///
/// It fits into the 64 bits that Kafka hands back with a delivery report.
struct PushOrigin: Equatable {
    /// The partition's place in the lane.
    var partition: UInt16
    /// Which assignment of that place; an older one is ignored.
    var epoch: UInt16
    /// The push's place in the partition's watermark.
    var sequence: UInt32

    /// The three in one word.
    var packed: UInt64 { UInt64(partition) << 48 | UInt64(epoch) << 32 | UInt64(sequence) }

    init(partition: UInt16, epoch: UInt16, sequence: UInt32) {
        self.partition = partition
        self.epoch = epoch
        self.sequence = sequence
    }

    init(packed: UInt64) {
        partition = UInt16(truncatingIfNeeded: packed >> 48)
        epoch = UInt16(truncatingIfNeeded: packed >> 32)
        sequence = UInt32(truncatingIfNeeded: packed)
    }
}

/// One push under way in a lane, from the record that was taken until its receipt is produced.
///
/// Its bytes stay inside the librdkafka message while it need not wait. One message pins its whole fetch, so a push that
/// must wait owns a copy instead, and its message is freed.
@safe
struct Push: ~Copyable {
    /// What the push waits for.
    enum State: UInt8 {
        /// Nothing: the slot is free.
        case free
        /// A place on a connection.
        case ready
        /// An earlier push of its token.
        case following
        /// The end of a pause after a failed attempt.
        case pausing
        /// The answer of APNs.
        case inFlight
    }

    var state = State.free
    /// The message that holds the bytes, until they are copied.
    private var record: Record?
    /// The copy that holds the bytes, once made.
    private var copy: OwnedBytes?
    /// The header values, lent from whichever holds the bytes.
    var fields = PushRecord()
    /// The checked values, lent from the same bytes; nil once they have moved.
    var request: PushRequest?
    private(set) var token = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var body = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    var origin = PushOrigin(partition: 0, epoch: 0, sequence: 0)
    var offset: Int64 = 0
    var tokenHash: UInt64 = 0
    /// Which app it is for, and which pool of connections sends it.
    var app: Int32 = -1
    var pool: Int32 = -1
    /// Which connection of the pool carries it, while in flight.
    var connection: Int32 = -1
    /// The next push of the same token, or -1.
    var follower: Int32 = -1
    /// The next in the queue of its pool, or -1.
    var next: Int32 = -1
    var attempts: Int32 = 0
    /// The header values as numbers: milliseconds since 1970, but the expiration in seconds.
    var expirationSeconds: Int64 = 0
    var queuedAtMillis: Int64 = 0
    var sentAtMillis: Int64 = 0
    /// When the push is given up, in milliseconds since 1970.
    var giveUpAtMillis: Int64 = 0
    /// What the last attempt came to; nil and 0 before one has failed.
    var lastReason: Reason?
    var lastStatus: UInt16 = 0

    init() {}

    /// Takes the message in, and lends key and value from it; the fields are decoded by the caller.
    mutating func hold(_ message: consuming Record) {
        unsafe token = message.key ?? UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe body = message.value ?? UnsafeRawBufferPointer(start: nil, count: 0)
        record = consume message
    }

    /// The message's headers are read through this while it is here.
    mutating func decodeFields() {
        fields.removeAll()
        guard let headers = record?.headerList else { return }
        for index in 0..<headers.count {
            let header = headers[index]
            unsafe fields.append(name: header.name, value: header.value)
        }
    }

    /// It stands in the order of its token's pushes.
    var isOrdered: Bool { state != .free }

    /// The bytes lie in a copy of their own already.
    var isDetached: Bool { record == nil }

    /// Copies the bytes out of the message and frees it; nothing happens when that was done before.
    mutating func detach(scratch: inout ByteBuffer) {
        guard !isDetached else { return }
        request = nil
        scratch.removeAll()
        unsafe scratch.append(token)
        let bodyStart = scratch.count
        unsafe scratch.append(body)
        let valuesStart = scratch.count
        fields.copyValues(to: &scratch)
        let owned = unsafe OwnedBytes(copying: scratch.bytes)
        unsafe token = owned.bytes(in: 0..<bodyStart)
        unsafe body = owned.bytes(in: bodyStart..<valuesStart)
        unsafe fields.moveValues(to: owned.bytes(in: valuesStart..<scratch.count))
        copy = consume owned
        record = nil
    }

    /// Frees the bytes; the slot may hold another push.
    mutating func clear() {
        state = .free
        record = nil
        copy = nil
        request = nil
        fields.removeAll()
        unsafe token = UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe body = UnsafeRawBufferPointer(start: nil, count: 0)
        follower = -1
        next = -1
        connection = -1
        attempts = 0
        sentAtMillis = 0
        lastReason = nil
        lastStatus = 0
        app = -1
        pool = -1
    }
}

/// Bytes on the heap with one owner.
@safe
struct OwnedBytes: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies bytes.
    init(copying bytes: UnsafeRawBufferPointer) {
        unsafe storage = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
        unsafe storage.copyMemory(from: bytes)
    }

    deinit { unsafe storage.deallocate() }

    /// Lends a part; valid as long as the owner.
    func bytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: storage[range])
    }
}
