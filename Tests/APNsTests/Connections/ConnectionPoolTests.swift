import APNs
import Testing

@Suite struct `Connection pool` {
    @Test func `opens nothing before something is to be sent`() {
        let driver = PoolDriver()
        #expect(driver.actions() == [])
        #expect(driver.status == .idle)
        #expect(driver.deadline == .max)
    }

    @Test func `opens one connection when something is to be sent`() throws {
        let driver = PoolDriver()
        #expect(driver.next() == nil)
        let id = try driver.connecting()
        #expect(driver.status == .connecting)
        for _ in 0..<10 { #expect(driver.next() == nil) }
        #expect(driver.actions() == [])
        #expect(driver.connected(id))
        #expect(driver.status == .ready)
        #expect(driver.next() == id)
    }

    @Test func `carries one stream until the first good token, whatever the peer allows`() throws {
        let driver = PoolDriver()
        #expect(driver.next() == nil)
        let id = try driver.open(limit: 1_000)
        #expect(driver.fill() == [id])
        #expect(driver.actions() == [])
        driver.answer(id, .retry)
        #expect(driver.fill() == [id])
        driver.answer(id, .rejected)
        #expect(driver.fill().count == 1_000)
    }

    @Test(arguments: Disposition.allCases.filter(\.provesToken))
    func `takes each answer that comes after the check of the token for a good token`(answer: Disposition) throws {
        let driver = PoolDriver(connectionsMax: 1)
        #expect(driver.next() == nil)
        let id = try driver.open(limit: 10)
        #expect(driver.fill() == [id])
        driver.answer(id, answer)
        #expect(driver.fill().count == 10)
    }

    @Test func `follows the peer's stream limit up and down`() throws {
        let driver = PoolDriver(connectionsMax: 1)
        let id = try driver.openProven(limit: 3)
        #expect(driver.fill().count == 3)
        driver.pool.streamLimitChanged(id, to: 5)
        #expect(driver.fill().count == 2)
        driver.pool.streamLimitChanged(id, to: 2)
        for _ in 0..<3 { driver.answer(id, .accepted) }
        #expect(driver.fill().count == 0)
        driver.answer(id, .accepted)
        #expect(driver.fill().count == 1)
        driver.pool.streamLimitChanged(id, to: 0)
        driver.answer(id, .accepted)
        driver.answer(id, .accepted)
        #expect(driver.fill().count == 0)
    }

    @Test func `survives a limit that no integer of the wire can have`() throws {
        let driver = PoolDriver(connectionsMax: 1)
        let id = try driver.openProven(limit: .max)
        driver.pool.streamLimitChanged(id, to: .min)
        #expect(driver.fill().count == 0)
    }

    @Test func `grows only when a raised limit is used up`() throws {
        let driver = PoolDriver(connectionsMax: 3)
        let first = try driver.openProven(limit: 2)
        #expect(driver.next() == first)
        #expect(driver.actions() == [])
        #expect(driver.next() == first)
        #expect(driver.actions() == [])
        #expect(driver.next() == nil)
        let second = try driver.open(limit: 2)
        #expect(second != first)
        #expect(driver.count == 2)
    }

    @Test func `takes a limit of 1 for no reason to grow`() throws {
        let driver = PoolDriver(connectionsMax: 3)
        let id = try driver.openProven(limit: 1)
        #expect(driver.fill() == [id])
        #expect(driver.actions() == [])
    }

    @Test func `grows by one connection at a time, each proven before the next`() throws {
        let driver = PoolDriver(connectionsMax: 3)
        let first = try driver.openProven(limit: 2)
        #expect(driver.fill() == [first, first])
        let second = try driver.connecting()
        #expect(driver.fill() == [])
        #expect(driver.actions() == [])
        #expect(driver.connected(second))
        driver.pool.streamLimitChanged(second, to: 2)
        #expect(driver.fill() == [second])
        #expect(driver.actions() == [])
        driver.answer(second, .accepted)
        #expect(driver.fill() == [second, second])
        _ = try driver.connecting()
    }

    @Test func `never has more connections than it may`() throws {
        let driver = PoolDriver(connectionsMax: 2)
        _ = try driver.openProven(limit: 2)
        _ = driver.fill()
        let second = try driver.open(limit: 2)
        try driver.prove(second)
        _ = driver.fill()
        #expect(driver.next() == nil)
        #expect(driver.actions() == [])
        #expect(driver.deadline == .max)
    }

    @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (16, 16), (17, 16), (Int.max, 16)])
    func `has between 1 and 16 connections`(setting: Int, expected: Int) {
        #expect(PoolSettings(connectionsMax: setting).connectionsMax == expected)
    }

    @Test func `gives a connection a burst, then another that has less to do`() throws {
        let driver = PoolDriver(connectionsMax: 2) { $0.burstMax = 4 }
        let first = try driver.openProven(limit: 8)
        #expect(driver.fill() == .init(repeating: first, count: 8))
        let second = try driver.open(limit: 8)
        try driver.prove(second)
        for _ in 0..<8 { driver.answer(first, .accepted) }
        let taken = driver.fill()
        #expect(taken.count == 16)
        #expect(taken.filter { $0 == first }.count == 8)
        let changes = zip(taken, taken.dropFirst()).count { $0 != $1 }
        #expect((2...4).contains(changes))
    }

    @Test func `counts streams down for every end`() throws {
        let driver = PoolDriver(connectionsMax: 1)
        let id = try driver.openProven(limit: 4)
        #expect(driver.fill().count == 4)
        driver.answer(id, .accepted)
        driver.answer(id, .retry)
        driver.pool.lost(id, nowMillis: driver.now)
        #expect(driver.fill().count == 3)
    }

    @Test func `ignores connections that it has forgotten`() throws {
        let driver = PoolDriver(connectionsMax: 1)
        let id = try driver.openProven(limit: 4)
        _ = driver.fill()
        driver.pool.goAway(id, .reconnect, nowMillis: driver.now)
        #expect(driver.retired() == [id])
        driver.answer(id, .accepted)
        driver.answer(id, .haltKey)
        driver.pool.lost(id, nowMillis: driver.now)
        driver.pool.refused(id, nowMillis: driver.now)
        driver.pool.closed(id, nowMillis: driver.now)
        driver.pool.streamLimitChanged(id, to: 9)
        driver.pool.connectFailed(id, nowMillis: driver.now)
        #expect(!driver.connected(id))
        #expect(driver.count == 0)
        if case .held = driver.status { Issue.record("held by a forgotten connection") }
        let strange = ConnectionID(rawValue: .max)
        #expect(!driver.connected(strange))
        driver.answer(strange, .accepted)
    }

    @Test func `gives up all at the end`() throws {
        let driver = PoolDriver(connectionsMax: 2)
        let first = try driver.openProven(limit: 2)
        _ = driver.fill()
        let second = try driver.connecting()
        driver.pool.retireAll()
        #expect(driver.actions() == [.retire(first)])
        #expect(!driver.connected(second))
        #expect(driver.count == 0)
        #expect(driver.deadline == .max)
    }
}
