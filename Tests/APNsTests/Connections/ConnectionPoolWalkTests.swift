import APNs
import Testing

/// Any sequence of events, checked against a plain account of what is open.
@Suite struct `Connection pool on a random walk` {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `keeps its limits, and sends again when all is well`(seed: UInt64) throws {
        let walk = Walk(seed: seed)
        for _ in 0..<3_000 {
            walk.driver.now += Int64.random(in: 0...2_000, using: &walk.random)
            try walk.step()
            try walk.takeActions()
        }
        try walk.comeToRest()
    }
}

private final class Walk {
    struct Connection {
        var limit = 1
        var open = 0
        var isProven = false
        var isRetired = false

        var room: Int { (isProven ? limit : min(1, limit)) - open }
    }

    let driver: PoolDriver
    var random: Generator
    var standing: [ConnectionID: Connection] = [:]
    var connecting: Set<ConnectionID> = []
    var lastProbe: Int64?
    var version = TokenVersion()

    init(seed: UInt64) {
        driver = PoolDriver(connectionsMax: 3, seed: seed)
        random = Generator(state: seed &* 0x9E37_79B9 &+ 7)
    }

    func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: try send()
        case 40..<88: endRequest()
        case 88..<96: changeConnection()
        case 96:
            version.bump(using: &random)
            driver.pool.tokenChanged(to: version, nowMillis: driver.now)
            lastProbe = nil
        default: endConnecting()
        }
        if case .held = driver.status { return }
        lastProbe = nil
    }

    private func send() throws {
        guard let id = driver.next() else { return }
        let connection = try #require(standing[id])
        #expect(!connection.isRetired)
        #expect(connection.room > 0)
        standing[id]?.open += 1
        guard case .held = driver.status else { return }
        if let lastProbe { #expect(driver.now - lastProbe >= 20_000) }
        lastProbe = driver.now
    }

    private func endRequest() {
        guard let id = anyConnection(), let connection = standing[id], connection.open > 0 else { return }
        standing[id]?.open -= 1
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            standing[id]?.isProven = false
            driver.pool.refused(id, nowMillis: driver.now)
        case 1: driver.pool.lost(id, nowMillis: driver.now)
        default:
            let disposition = Disposition.allCases.randomElement(using: &random) ?? .accepted
            if disposition.provesToken { standing[id]?.isProven = true }
            driver.answer(id, disposition)
        }
    }

    private func changeConnection() {
        guard let id = anyConnection() else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: driver.pool.goAway(id, .reconnect, nowMillis: driver.now)
        case 1:
            standing[id] = nil
            driver.pool.closed(id, nowMillis: driver.now)
        default:
            let limit = [0, 1, 2, 10].randomElement(using: &random) ?? 1
            standing[id]?.limit = limit
            driver.pool.streamLimitChanged(id, to: limit)
        }
    }

    private func endConnecting() {
        guard let id = connecting.popFirst() else { return }
        if Bool.random(using: &random) {
            #expect(driver.connected(id))
            standing[id] = Connection()
        } else {
            driver.pool.connectFailed(id, nowMillis: driver.now)
        }
    }

    private func anyConnection() -> ConnectionID? {
        standing.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)
    }

    func takeActions() throws {
        for action in driver.actions() {
            switch action {
            case .connect(let id):
                #expect(standing[id] == nil)
                #expect(connecting.insert(id).inserted)
                #expect(connecting.count == 1)
            case .retire(let id):
                #expect(standing[id]?.isRetired == false)
                standing[id]?.isRetired = true
            }
        }
        let live = standing.values.count { !$0.isRetired }
        #expect(driver.count == live)
        #expect(live + connecting.count <= 3)
    }

    /// Whatever happened, a good peer and time are enough to send again.
    func comeToRest() throws {
        for (id, connection) in standing {
            for _ in 0..<connection.open { driver.answer(id, .accepted) }
            driver.pool.streamLimitChanged(id, to: 10)
        }
        for id in connecting { #expect(driver.connected(id)) }
        for _ in 0..<10 {
            if let id = driver.next() {
                driver.answer(id, .accepted)
                #expect(driver.status == .ready)
                return
            }
            for action in driver.actions() {
                if case .connect(let id) = action { #expect(driver.connected(id)) }
            }
            if driver.deadline != .max { driver.now = max(driver.now, driver.deadline) }
        }
        Issue.record("nothing can be sent: \(driver.status)")
    }
}

private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
    }
}

extension TokenVersion {
    fileprivate mutating func bump(using random: inout some RandomNumberGenerator) {
        let kind = Int.random(in: 0..<3, using: &random)
        self = TokenVersion(
            generation: generation + 1,
            key: key + (kind == 1 ? 1 : 0),
            renewal: renewal + (kind == 2 ? 1 : 0)
        )
    }
}
