/// The numbers of a connection pool.
public struct PoolSettings: Equatable, Sendable {
    /// The most connections that a pool can have.
    public static let connectionsLimit = 16

    /// How many connections may stand at once; 1 to ``connectionsLimit``.
    public var connectionsMax = 4
    /// How many requests go to one connection before another with room gets its turn: one write carries them.
    public var burstMax = 32
    /// How many server errors and lost requests, without a good answer between, retire a connection.
    public var troublesMax = 5
    /// How many answers in a row that put the key in question halt it.
    public var suspectsMax = 5
    /// How often one push tries whether a halted key works again.
    public var probeIntervalMillis: Int64 = 30_000
    /// The wait after the first failure to connect; it doubles with each.
    public var reconnectMillisMin: Int64 = 1_000
    /// The longest wait between failures to connect.
    public var reconnectMillisMax: Int64 = 60_000
    /// The longest wait after a connection that worked was taken away by a GOAWAY, so that a fleet does not come back at
    /// one instant.
    public var goAwayJitterMillis: Int64 = 500
    /// How long a connection that worked must have stood for its end to be no failure.
    public var stableMillis: Int64 = 10_000
    /// How long APNs wants one provider token on a connection.
    public var tokenIntervalMillis = TokenClock.updateIntervalMillis

    /// Makes the defaults.
    public init() {}

    /// Makes the defaults for so many connections.
    ///
    /// - Parameter connectionsMax: How many may stand at once.
    public init(connectionsMax: Int) {
        self.connectionsMax = max(1, min(connectionsMax, Self.connectionsLimit))
    }
}
