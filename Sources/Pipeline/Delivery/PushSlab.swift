/// The pushes of a lane in one block of memory, named by their slot; fixed in size, so nothing is allocated per push.
@safe
struct PushSlab: ~Copyable {
    private let storage: UnsafeMutablePointer<Push>
    private var free: [Int32] = []
    /// Slots from here on were never used, and their memory never touched.
    private var used: Int32 = 0
    /// The most pushes under way.
    let capacity: Int

    /// Makes a slab of free slots.
    init(capacity: Int) {
        self.capacity = capacity
        unsafe storage = .allocate(capacity: capacity)
        free.reserveCapacity(capacity)
    }

    deinit {
        unsafe storage.deinitialize(count: Int(used))
        unsafe storage.deallocate()
    }

    /// How many slots are free.
    var freeCount: Int { capacity - count }

    /// How many pushes are under way.
    var count: Int { Int(used) - free.count }

    /// The push in a slot.
    subscript(_ slot: Int32) -> Push {
        _read {
            precondition(slot >= 0 && slot < used, "slot outside the slab")
            yield unsafe storage[Int(slot)]
        }
        _modify {
            precondition(slot >= 0 && slot < used, "slot outside the slab")
            yield unsafe &storage[Int(slot)]
        }
    }

    /// Takes a free slot; nil when every one is taken.
    mutating func take() -> Int32? {
        if let slot = free.popLast() { return slot }
        guard Int(used) < capacity else { return nil }
        unsafe (storage + Int(used)).initialize(to: Push())
        used += 1
        return used - 1
    }

    /// Gives every slot back.
    mutating func releaseAll() {
        free.removeAll(keepingCapacity: true)
        for slot in (0..<used).reversed() { release(slot) }
    }

    /// Gives a slot back, and frees what it held.
    mutating func release(_ slot: Int32) {
        self[slot].clear()
        free.append(slot)
    }
}

/// A queue of slots, linked through the pushes themselves.
struct PushQueue {
    private var first: Int32 = -1
    private var last: Int32 = -1
    /// How many pushes stand in it.
    private(set) var count = 0

    /// Puts a push at the end.
    mutating func append(_ slot: Int32, in pushes: inout PushSlab) {
        pushes[slot].next = -1
        if last >= 0 { pushes[last].next = slot } else { first = slot }
        last = slot
        count += 1
    }

    /// Puts a push before all others: one that was refused keeps its turn.
    mutating func prepend(_ slot: Int32, in pushes: inout PushSlab) {
        pushes[slot].next = first
        first = slot
        if last < 0 { last = slot }
        count += 1
    }

    /// Takes the first push.
    mutating func removeFirst(in pushes: inout PushSlab) -> Int32? {
        guard first >= 0 else { return nil }
        let slot = first
        first = pushes[slot].next
        if first < 0 { last = -1 }
        count -= 1
        return slot
    }

    /// Visits each push, the first first.
    func forEach(in pushes: inout PushSlab, _ body: (inout Push) -> Void) {
        var slot = first
        while slot >= 0 {
            body(&pushes[slot])
            slot = pushes[slot].next
        }
    }

    /// Forgets all.
    mutating func removeAll() { self = PushQueue() }
}
