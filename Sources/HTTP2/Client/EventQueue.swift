/// What has happened and was not taken yet: a ring of plain values that grows when it is full.
@safe
struct EventQueue: ~Copyable {
    /// An event without its words, which the session keeps.
    struct Entry {
        enum Kind: UInt8 {
            case response
            case refused
            case reset
            case deadline
            case cancelled
            case connectionLost
            case streamLimit
            case goAway
            case closed
        }

        var kind: Kind
        /// The slot of the request, which is released when the event after it is taken; -1 without one.
        var slot: Int32
        /// The HTTP/2 error code of a reset.
        var code: UInt32 = 0
    }

    private var entries: UnsafeMutablePointer<Entry>
    /// A power of two.
    private var capacity: Int
    private var start = 0
    private(set) var count = 0

    /// Makes an empty queue.
    ///
    /// - Parameter capacity: A power of two.
    init(capacity: Int = 64) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "the capacity must be a power of two")
        self.capacity = capacity
        unsafe entries = .allocate(capacity: capacity)
    }

    deinit { unsafe entries.deallocate() }

    /// Adds an event.
    mutating func append(_ entry: Entry) {
        if count == capacity { grow() }
        unsafe (entries + ((start &+ count) & (capacity &- 1))).initialize(to: entry)
        count &+= 1
    }

    /// Takes the oldest event.
    mutating func removeFirst() -> Entry? {
        guard count > 0 else { return nil }
        let entry = unsafe entries[start]
        start = (start &+ 1) & (capacity &- 1)
        count &-= 1
        return entry
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        for index in 0..<count {
            unsafe (larger + index).initialize(to: entries[(start + index) & (capacity - 1)])
        }
        unsafe entries.deallocate()
        unsafe entries = larger
        capacity *= 2
        start = 0
    }
}
