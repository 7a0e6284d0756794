internal import Glibc

/// The two clocks of the process.
///
/// Loops read them once a turn and pass the value on.
public enum Clock {
    /// Milliseconds of the monotonic clock, for deadlines and ages.
    public static func monotonicMillis() -> Int64 { read(CLOCK_MONOTONIC) / 1_000_000 }

    /// Nanoseconds of the monotonic clock, for measuring.
    public static func monotonicNanos() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Milliseconds since 1970, for what is written down.
    public static func wallMillis() -> Int64 { read(CLOCK_REALTIME) / 1_000_000 }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Fails only for an unknown clock.
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
