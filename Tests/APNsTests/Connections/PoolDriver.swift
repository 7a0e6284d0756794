import APNs
import Testing

/// Drives a pool with a clock of its own.
final class PoolDriver {
    var pool: ConnectionPool
    var now: Int64 = 1_000_000

    init(connectionsMax: Int = 4, seed: UInt64 = 1, change: (inout PoolSettings) -> Void = { _ in }) {
        var settings = PoolSettings(connectionsMax: connectionsMax)
        change(&settings)
        pool = ConnectionPool(settings: settings, seed: seed)
    }

    func next() -> ConnectionID? { pool.next(nowMillis: now) }

    func connected(_ id: ConnectionID) -> Bool { pool.connected(id, nowMillis: now) }

    var status: PoolStatus { pool.status }
    var count: Int { pool.connectionCount }
    var deadline: Int64 { pool.nextDeadlineMillis }

    func actions() -> [PoolAction] {
        var actions: [PoolAction] = []
        while let action = pool.nextAction(nowMillis: now) { actions.append(action) }
        return actions
    }

    /// Takes all actions, expects one `connect` among them.
    func connecting() throws -> ConnectionID {
        let ids = actions().compactMap { action -> ConnectionID? in
            if case .connect(let id) = action { id } else { nil }
        }
        try #require(ids.count == 1)
        return ids[0]
    }

    func retired() -> [ConnectionID] {
        actions().compactMap { if case .retire(let id) = $0 { id } else { nil } }
    }

    /// Opens a connection, which demand must have asked for.
    func open(limit: Int = 1_000) throws -> ConnectionID {
        let id = try connecting()
        try #require(connected(id))
        pool.streamLimitChanged(id, to: limit)
        return id
    }

    /// Opens the first connection, and has a token verified on it.
    func openProven(limit: Int = 1_000) throws -> ConnectionID {
        #expect(next() == nil)
        let id = try open(limit: limit)
        try prove(id)
        return id
    }

    func prove(_ id: ConnectionID) throws {
        try #require(next() == id)
        pool.answered(id, .accepted, nowMillis: now)
    }

    /// Takes as many streams as there are.
    func fill() -> [ConnectionID] {
        var taken: [ConnectionID] = []
        while let id = pool.next(nowMillis: now) { taken.append(id) }
        return taken
    }

    func answer(_ id: ConnectionID, _ disposition: Disposition) {
        pool.answered(id, disposition, nowMillis: now)
    }

    /// Goes to the pool's next deadline and returns how long that was.
    func advance() throws -> Int64 {
        let deadline = pool.nextDeadlineMillis
        try #require(deadline != .max)
        let wait = max(0, deadline - now)
        now += wait
        return wait
    }
}
