internal import Synchronization

/// A number that only grows; one thread adds, any thread reads.
///
/// There is one writer, so adding is a load and a store and never a locked instruction.
public struct Counter: ~Copyable, Sendable {
    private let value = Atomic<UInt64>(0)

    /// Makes a counter at 0.
    public init() {}

    /// Adds; on the counter's one thread.
    @inline(__always)
    public func add(_ amount: UInt64 = 1) {
        // Relaxed: a counter says nothing about other memory.
        value.store(value.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// The sum so far.
    public var count: UInt64 { value.load(ordering: .relaxed) }
}

/// A number that goes up and down; one thread sets it, any thread reads.
public struct Gauge: ~Copyable, Sendable {
    private let value = Atomic<Int64>(0)

    /// Makes a gauge at 0.
    public init() {}

    /// Sets it; on the gauge's one thread.
    @inline(__always)
    public func set(_ value: Int64) { self.value.store(value, ordering: .relaxed) }

    /// What was set last.
    public var current: Int64 { value.load(ordering: .relaxed) }
}
