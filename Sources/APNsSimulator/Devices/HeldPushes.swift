/// What becomes of accepted pushes whose devices are offline; time is a parameter.
///
/// APNs keeps one push for each device and app, the newest, until it expires, for 30 days at most. A push whose
/// expiration is 0 or past is never kept. Whether two pushes have the same collapse id makes no difference: there is no
/// room for both.
struct HeldPushes {
    private static let secondsMax: Int64 = 30 * 86_400
    private static let never = Int64.min

    /// When the push kept for each registration expires, in seconds since 1970.
    private var expirations: [Int64]
    private var expiredBefore = 0

    /// How many made room for a newer one.
    private(set) var replaced = 0

    /// Makes room for a number of registrations.
    init(count: Int) { expirations = .init(repeating: Self.never, count: count) }

    /// Takes a push that was accepted.
    ///
    /// - Parameters:
    ///   - index: The registration that it is for.
    ///   - expirationSeconds: Its `apns-expiration`; nil where it has none.
    ///   - nowSeconds: Time since 1970.
    mutating func hold(_ index: Int, expirationSeconds: Int64?, nowSeconds: Int64) {
        let latest = nowSeconds + Self.secondsMax
        let expiration = min(expirationSeconds ?? latest, latest)
        guard expiration > nowSeconds else {
            expiredBefore += 1
            return
        }
        let former = expirations[index]
        if former > nowSeconds { replaced += 1 } else if former != Self.never { expiredBefore += 1 }
        expirations[index] = expiration
    }

    /// How many wait, and how many expired.
    ///
    /// - Parameter nowSeconds: Time since 1970.
    /// - Returns: The pushes of devices that may still come back, and those that waited too long.
    func count(nowSeconds: Int64) -> (stored: Int, expired: Int) {
        let held = expirations.count { $0 != Self.never }
        let stored = expirations.count { $0 > nowSeconds }
        return (stored, expiredBefore + held - stored)
    }
}
