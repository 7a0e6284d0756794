/// How long things took, in buckets from 1 ms to an hour; one thread observes, any thread reads.
public struct Histogram: ~Copyable, Sendable {
    /// The upper bounds of the buckets, in milliseconds; what is longer counts in one more.
    public static let boundsMillis: [Int64] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000,
    ]

    /// The longest duration that is counted, in milliseconds: 30 days.
    public static var millisMax: Int64 { 30 * 86_400_000 }

    private let buckets = CounterTable(size: Histogram.boundsMillis.count + 1)
    private let sumMillis = Counter()

    /// Makes an empty histogram.
    public init() {}

    /// Counts the time between two others; on the histogram's one thread.
    ///
    /// Either may be anybody's number.
    ///
    /// - Parameters:
    ///   - start: Milliseconds.
    ///   - end: Milliseconds of the same clock.
    @inline(__always)
    public func observe(fromMillis start: Int64, toMillis end: Int64) {
        // What does not fit 64 bits wraps to some number that is cut to the bounds below.
        observe(millis: end &- start)
    }

    /// Counts one duration; on the histogram's one thread.
    ///
    /// - Parameter millis: Milliseconds; less than 0, as between two clocks, counts as 0, and more than
    ///   ``millisMax`` as that, so that one wrong number does not spoil the sum.
    @inline(__always)
    public func observe(millis: Int64) {
        let millis = min(max(0, millis), Self.millisMax)
        buckets.add(at: Self.bucket(of: millis))
        sumMillis.add(UInt64(millis))
    }

    /// The bounds once more, as code: the shorter a duration, the sooner it is found.
    @inline(__always)
    private static func bucket(of millis: Int64) -> Int {
        if millis <= 10 { return millis <= 2 ? (millis <= 1 ? 0 : 1) : (millis <= 5 ? 2 : 3) }
        if millis <= 200 { return millis <= 50 ? (millis <= 20 ? 4 : 5) : (millis <= 100 ? 6 : 7) }
        if millis <= 5_000 { return millis <= 1_000 ? (millis <= 500 ? 8 : 9) : (millis <= 2_000 ? 10 : 11) }
        if millis <= 60_000 { return millis <= 10_000 ? 12 : (millis <= 30_000 ? 13 : 14) }
        return millis <= 300_000 ? 15 : (millis <= 900_000 ? 16 : (millis <= 3_600_000 ? 17 : 18))
    }

    /// What a histogram holds at one moment; those of several threads add up.
    public struct Snapshot: Equatable, Sendable {
        /// How many durations lie in each bucket and in no lower one; the last has no bound.
        public private(set) var counts: [UInt64]
        /// The sum of all durations, in milliseconds.
        public private(set) var sumMillis: UInt64 = 0

        /// Makes an empty snapshot.
        public init() { counts = .init(repeating: 0, count: Histogram.boundsMillis.count + 1) }

        /// Adds what a histogram holds now.
        public mutating func add(_ histogram: borrowing Histogram) {
            for index in counts.indices { counts[index] += histogram.buckets[index] }
            sumMillis += histogram.sumMillis.count
        }
    }
}
