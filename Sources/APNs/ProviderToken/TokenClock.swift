/// Decides when a provider token is issued, and what its `iat` says.
///
/// The rule depends on the wall clock alone, so that all replicas and restarts make the same token, which spares a crash
/// loop or a fleet behind one address `TooManyProviderTokenUpdates`. The token is 10 to 40 minutes old whatever happens,
/// and a clock may be 10 minutes fast or 20 slow. A token is replaced at most once in 20 minutes, however the wall clock
/// jumps: that is measured by the monotonic one.
public struct TokenClock: Equatable, Sendable {
    /// Apple's limit: a token is replaced no more than once in 20 minutes.
    public static let updateIntervalMillis: Int64 = 20 * 60_000
    /// The step of `iat`.
    static let stepSeconds: Int64 = 1_800
    /// The least age of a token by the rule.
    static let ageSecondsMin: Int64 = 600

    /// The `iat` of the token in use; nil before the first.
    public private(set) var issuedAtSeconds: Int64?
    /// When the token was last replaced, or APNs refused a replacement; the first token replaces none.
    private var updatedAtMillis: Int64?

    /// Makes a clock that has issued nothing.
    public init() {}

    /// The `iat` by the rule: a half hour's start, at least ten minutes ago.
    ///
    /// - Parameter wallSeconds: Seconds since 1970.
    /// - Returns: Seconds since 1970.
    public static func issuedAt(wallSeconds: Int64) -> Int64 {
        let shifted = wallSeconds - ageSecondsMin
        // Rounds down also before 1970, where a machine without a clock may think it is.
        let rest = ((shifted % stepSeconds) + stepSeconds) % stepSeconds
        return shifted - rest
    }

    /// Says whether a token is to be issued now.
    ///
    /// - Parameters:
    ///   - wallMillis: Milliseconds since 1970.
    ///   - nowMillis: The monotonic clock.
    /// - Returns: The `iat` of a token to issue, or nil to keep the one in use.
    public mutating func tick(wallMillis: Int64, nowMillis: Int64) -> Int64? {
        let wallSeconds = wallMillis / 1_000
        let wanted = Self.issuedAt(wallSeconds: wallSeconds)
        guard let current = issuedAtSeconds else {
            issuedAtSeconds = wanted
            return wanted
        }
        // A clock set back a little makes the token in use younger, not wrong; in the future it would be.
        if wanted == current || wanted < current && current <= wallSeconds { return nil }
        guard mayUpdate(nowMillis: nowMillis) else { return nil }
        return issue(wanted, nowMillis: nowMillis)
    }

    /// Answers `ExpiredProviderToken`: a token of this second, once in 20 minutes.
    ///
    /// - Parameters:
    ///   - wallMillis: Milliseconds since 1970.
    ///   - nowMillis: The monotonic clock.
    /// - Returns: The `iat` of a token to issue, or nil where it is too soon.
    public mutating func expired(wallMillis: Int64, nowMillis: Int64) -> Int64? {
        guard mayUpdate(nowMillis: nowMillis) else { return nil }
        return issue(wallMillis / 1_000, nowMillis: nowMillis)
    }

    /// Answers `TooManyProviderTokenUpdates`: none is issued for 20 minutes.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    public mutating func updatesRefused(nowMillis: Int64) {
        updatedAtMillis = nowMillis
    }

    /// When a token may be replaced at the soonest.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    /// - Returns: A time of the monotonic clock, `nowMillis` where it may be at once.
    public func nextUpdateMillis(nowMillis: Int64) -> Int64 {
        guard let updatedAtMillis else { return nowMillis }
        return max(nowMillis, updatedAtMillis + Self.updateIntervalMillis)
    }

    private func mayUpdate(nowMillis: Int64) -> Bool {
        nextUpdateMillis(nowMillis: nowMillis) <= nowMillis
    }

    private mutating func issue(_ seconds: Int64, nowMillis: Int64) -> Int64 {
        issuedAtSeconds = seconds
        updatedAtMillis = nowMillis
        return seconds
    }
}
