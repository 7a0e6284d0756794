/// How many pushes a device token may get in a time; Apple says that there is a limit, and no number.
public struct DeviceRate: Sendable, Equatable {
    /// How many pushes are accepted within ``seconds`` of the first.
    public var pushes: Int
    /// How long they count.
    public var seconds: Int

    /// Describes a rate.
    ///
    /// - Parameters:
    ///   - pushes: How many are accepted, 1 or more.
    ///   - seconds: How long they count, 1 or more.
    public init(pushes: Int, seconds: Int) {
        self.pushes = pushes
        self.seconds = seconds
    }

    /// Reads `PUSHES/SECONDS`, such as `3/3600`; nil for any other text.
    ///
    /// - Parameter text: The text.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let pushes = Int(parts[0]), let seconds = Int(parts[1]),
            (1...1_000_000).contains(pushes), (1...1_000_000).contains(seconds)
        else { return nil }
        self.init(pushes: pushes, seconds: seconds)
    }
}

/// Counts the pushes of each token by windows that begin with its first push; time is a parameter.
///
/// It tells tokens apart by 64 bits of hash, and forgets windows that are over when there are many.
struct DeviceRateLimit {
    private struct Window {
        var untilMillis: Int64
        var count: Int
    }

    private let rate: DeviceRate
    private var windows: [Int: Window] = [:]
    private var windowsMax = 1024

    init(_ rate: DeviceRate) { self.rate = rate }

    /// How many tokens it remembers.
    var count: Int { windows.count }

    /// Counts a push unless it is one too many, which counts for nothing.
    ///
    /// - Parameters:
    ///   - token: The device token, in either case.
    ///   - nowMillis: Monotonic time.
    /// - Returns: Whether the device may get it.
    mutating func admit(_ token: Span<UInt8>, nowMillis: Int64) -> Bool {
        let key = DeviceRegistry.hash(token)
        if let window = windows[key], nowMillis < window.untilMillis {
            guard window.count < rate.pushes else { return false }
            windows[key]?.count += 1
            return true
        }
        if windows.count >= windowsMax {
            windows = windows.filter { nowMillis < $0.value.untilMillis }
            windowsMax = max(1024, windows.count * 2)
        }
        windows[key] = Window(untilMillis: nowMillis + Int64(rate.seconds) * 1000, count: 1)
        return true
    }
}
