/// How long a push waits before it is sent again: a base that doubles up to a maximum, with full jitter.
public struct Backoff: Equatable, Sendable {
    /// The longest `retry-after` that is followed; a day outlives nearly every push.
    public static let retryAfterSecondsMax: Int32 = 86_400

    private let baseMillis: Int64
    private let maxMillis: Int64

    /// Describes a backoff.
    ///
    /// - Parameters:
    ///   - baseSeconds: The longest wait after the first attempt; more than 0.
    ///   - maxSeconds: The longest wait after any attempt; a day at most.
    public init(baseSeconds: Double, maxSeconds: Double) {
        self.maxMillis = Int64(max(0.001, min(maxSeconds, 86_400)) * 1_000)
        self.baseMillis = min(maxMillis, Int64(max(0.001, min(baseSeconds, 86_400)) * 1_000))
    }

    /// The longest wait after an attempt.
    ///
    /// - Parameter attempt: 1 for the first.
    /// - Returns: Milliseconds.
    public func ceilingMillis(attempt: Int) -> Int64 {
        // The base is at least 1 ms and the maximum at most 2^27 ms.
        min(maxMillis, baseMillis << Int64(min(max(attempt, 1) - 1, 27)))
    }

    /// The wait after an attempt.
    ///
    /// Full jitter spreads what failed together over the whole time; after `retry-after` it is added, since all
    /// were told the same second.
    ///
    /// - Parameters:
    ///   - attempt: 1 for the first.
    ///   - retryAfterSeconds: What the answer asked for; negative where it asked for nothing.
    ///   - random: Any number, evenly distributed.
    /// - Returns: Milliseconds.
    public func delayMillis(attempt: Int, retryAfterSeconds: Int32, random: UInt64) -> Int64 {
        guard retryAfterSeconds >= 0 else { return jitter(ceilingMillis(attempt: attempt), random) }
        return Int64(min(retryAfterSeconds, Self.retryAfterSecondsMax)) * 1_000 + jitter(baseMillis, random)
    }

    private func jitter(_ ceiling: Int64, _ random: UInt64) -> Int64 {
        Int64(random % UInt64(ceiling + 1))
    }
}
