/// The connections of one lane for one (environment, team, key): which takes the next push, when one opens, when the key
/// halts.
///
/// A pure value: events go in, ``nextAction(nowMillis:)`` says what to do, time is a parameter. It opens nothing before
/// something is to be sent, and grows only when a raised stream limit is used up. A connection carries one stream until
/// APNs has verified a token on it. Events of connections that it has forgotten are ignored, which lets late answers
/// about an old key change nothing.
public struct ConnectionPool: ~Copyable {
    /// One place for a connection.
    struct Slot {
        enum State { case free, connecting, ready, retiring }

        var state = State.free
        /// APNs has verified a token on it.
        var isProven = false
        var hasSent = false
        var serial: UInt32 = 0
        var openStreams: Int32 = 0
        /// The peer's MAX_CONCURRENT_STREAMS.
        var streamLimit: Int32 = 1
        /// Server errors, refusals of its only stream and requests without an answer, since the last good answer.
        var troubles: Int32 = 0
        var connectedAtMillis: Int64 = 0
        var tokenSinceMillis: Int64 = 0

        var hasRoom: Bool { state == .ready && openStreams < (isProven ? streamLimit : min(streamLimit, 1)) }
        /// A limit of 1 is not "full": APNs lowers it where it wants less, not more connections.
        var isUsedUp: Bool { isProven && streamLimit > 1 && openStreams >= streamLimit }
    }

    /// Nothing is sent but probes.
    struct Hold {
        var cause: HoldCause
        var probeAtMillis: Int64
        var probe: ConnectionID?
    }

    let settings: PoolSettings
    /// An array, since an inline one would be copied whole wherever one slot is read.
    var slots: [Slot]
    var hold: Hold?
    var version = TokenVersion()
    /// The connection of the running burst.
    private var cursor = 0
    private var burst = 0
    /// Something was to be sent and found no room.
    var isStarved = false
    /// A slot is to be retired.
    var hasRetiring = false
    /// Failures in a row to get a working connection.
    var failures = 0
    var suspects = 0
    var connectAtMillis: Int64 = .min
    private var random: UInt64

    /// Makes a pool without connections.
    ///
    /// - Parameters:
    ///   - settings: Its numbers.
    ///   - seed: Any number, another in each pool of the fleet, so that they do not move in step.
    public init(settings: PoolSettings, seed: UInt64) {
        self.settings = settings
        self.slots = Array(repeating: Slot(), count: settings.connectionsMax)
        self.random = seed
    }

    /// Chooses the connection for the next request, and counts it as open there.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    /// - Returns: A connection, or nil where there is no room; ask again after an event, or at ``nextDeadlineMillis``.
    public mutating func next(nowMillis: Int64) -> ConnectionID? {
        guard hold == nil else { return nextProbe(nowMillis: nowMillis) }
        if burst >= settings.burstMax || !slots[cursor].hasRoom {
            guard let index = leastBusy() else {
                isStarved = true
                return nil
            }
            cursor = index
            burst = 0
        }
        burst += 1
        return reserve(cursor, nowMillis: nowMillis)
    }

    private mutating func reserve(_ index: Int, nowMillis: Int64) -> ConnectionID {
        isStarved = false
        slots[index].openStreams += 1
        if !slots[index].hasSent {
            slots[index].hasSent = true
            slots[index].tokenSinceMillis = nowMillis
        }
        return ConnectionID(slot: index, serial: slots[index].serial)
    }

    private func leastBusy() -> Int? {
        var found: Int?
        var fewest = Int32.max
        for index in 0..<settings.connectionsMax where slots[index].hasRoom && slots[index].openStreams < fewest {
            fewest = slots[index].openStreams
            found = index
        }
        return found
    }

    private mutating func nextProbe(nowMillis: Int64) -> ConnectionID? {
        isStarved = true
        guard let hold, hold.probe == nil, nowMillis >= hold.probeAtMillis, let index = leastBusy() else { return nil }
        let probe = reserve(index, nowMillis: nowMillis)
        self.hold?.probe = probe
        return probe
    }

    /// Says what to do next; to be asked until it says nothing, after events and at ``nextDeadlineMillis``.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    /// - Returns: One action, or nil.
    public mutating func nextAction(nowMillis: Int64) -> PoolAction? {
        if hasRetiring {
            for index in 0..<settings.connectionsMax where slots[index].state == .retiring {
                slots[index].state = .free
                return .retire(ConnectionID(slot: index, serial: slots[index].serial))
            }
            hasRetiring = false
        }
        guard isStarved, nowMillis >= earliestConnectMillis, let index = freeSlotToFill() else { return nil }
        let serial = slots[index].serial &+ 1
        slots[index] = Slot(state: .connecting, serial: serial)
        return .connect(ConnectionID(slot: index, serial: serial))
    }

    /// When to call ``next(nowMillis:)`` and ``nextAction(nowMillis:)`` again without an event; `Int64.max` for never.
    public var nextDeadlineMillis: Int64 {
        guard isStarved else { return .max }
        if freeSlotToFill() != nil { return earliestConnectMillis }
        guard let hold, hold.probe == nil, leastBusy() != nil else { return .max }
        return hold.probeAtMillis
    }

    private var earliestConnectMillis: Int64 {
        guard let hold else { return connectAtMillis }
        return max(connectAtMillis, hold.probeAtMillis)
    }

    /// A free slot, if another connection is wanted: the first, or one more when all that stand are used up.
    private func freeSlotToFill() -> Int? {
        var free: Int?
        for index in 0..<settings.connectionsMax {
            switch slots[index].state {
            case .free: if free == nil { free = index }
            case .retiring: break
            case .connecting: return nil
            case .ready: if hold != nil || !slots[index].isUsedUp { return nil }
            }
        }
        return free
    }

    /// How the pool stands.
    public var status: PoolStatus {
        if let hold { return .held(hold.cause) }
        var isConnecting = false
        for index in 0..<settings.connectionsMax {
            if slots[index].state == .ready { return .ready }
            if slots[index].state == .connecting { isConnecting = true }
        }
        if failures > 0 { return .unreachable }
        return isConnecting ? .connecting : .idle
    }

    /// How many connections stand.
    public var connectionCount: Int {
        var count = 0
        for index in 0..<settings.connectionsMax where slots[index].state == .ready { count += 1 }
        return count
    }

    /// A number from 0 up to a bound, by SplitMix64.
    mutating func jitter(upTo bound: Int64) -> Int64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Int64(mixed % UInt64(max(0, bound) + 1))
    }
}
