internal import Synchronization

/// A fixed number of counters side by side, known by their index; one thread adds, any thread reads.
@safe
public struct CounterTable: ~Copyable, @unchecked Sendable {
    // Sendable: the pointer never changes, and what it points to is atomic.
    private let counters: UnsafeMutablePointer<Atomic<UInt64>>
    /// How many counters there are.
    public let size: Int

    /// Makes counters at 0.
    ///
    /// - Parameter size: How many, at least 1.
    public init(size: Int) {
        precondition(size > 0, "a table without counters")
        self.size = size
        unsafe counters = .allocate(capacity: size)
        for index in 0..<size { unsafe (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe counters.deinitialize(count: size)
        unsafe counters.deallocate()
    }

    /// Adds to one counter; on the table's one thread.
    ///
    /// An index outside the table is not counted.
    @inline(__always)
    public func add(_ amount: UInt64 = 1, at index: Int) {
        guard index >= 0, index < size else { return }
        unsafe counters[index].store(counters[index].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// The sum of one counter so far; 0 outside the table.
    public subscript(_ index: Int) -> UInt64 {
        guard index >= 0, index < size else { return 0 }
        return unsafe counters[index].load(ordering: .relaxed)
    }

    /// The sum of all counters.
    public var total: UInt64 {
        var total: UInt64 = 0
        for index in 0..<size { total &+= self[index] }
        return total
    }
}
