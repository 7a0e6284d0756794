import APNs
import Testing

@Suite struct `Connection pool that is held` {
    @Test func `sends nothing more after a refused credential, on no connection`() throws {
        let driver = PoolDriver(connectionsMax: 2)
        let first = try driver.openProven(limit: 2)
        _ = driver.fill()
        let second = try driver.open(limit: 2)
        try driver.prove(second)
        driver.answer(first, .haltKey)
        #expect(driver.status == .held(.credential))
        #expect(Set(driver.retired()) == [first, second])
        #expect(driver.fill() == [])
        #expect(driver.actions() == [])
    }

    @Test func `tries one push every 30 s, each on a new connection`() throws {
        let driver = try held()
        var seen: Set<ConnectionID> = []
        for _ in 0..<10 {
            #expect(driver.fill() == [])
            #expect((26_000...34_000).contains(try driver.advance()))
            let id = try driver.open()
            #expect(seen.insert(id).inserted)
            #expect(driver.fill() == [id])
            #expect(driver.deadline == .max)
            driver.answer(id, .haltKey)
            #expect(driver.retired() == [id])
            #expect(driver.status == .held(.credential))
        }
    }

    @Test func `does not probe before something is to be sent`() throws {
        let driver = try held()
        driver.now += 600_000
        #expect(driver.actions() == [])
        #expect(driver.next() == nil)
        _ = try driver.connecting()
    }

    @Test(arguments: Disposition.allCases.filter(\.provesToken))
    func `goes on when a probe shows that the token is good`(answer: Disposition) throws {
        let driver = try held()
        let id = try probe(driver)
        driver.answer(id, answer)
        #expect(driver.status == .ready)
        #expect(driver.fill().count == 1_000)
    }

    @Test(arguments: [Disposition.retry, .reconnect, .refreshToken, .restConnection, .suspectKey, .haltKey])
    func `stays held when a probe shows nothing`(answer: Disposition) throws {
        let driver = try held()
        let id = try probe(driver)
        driver.answer(id, answer)
        #expect(driver.status == .held(.credential))
        #expect(driver.retired() == [id])
        #expect(driver.fill() == [])
    }

    @Test func `stays held when a probe gets no answer`() throws {
        let driver = try held()
        let lost = try probe(driver)
        driver.pool.lost(lost, nowMillis: driver.now)
        #expect(driver.fill() == [])
        #expect((26_000...34_000).contains(try driver.advance()))
        #expect(driver.fill() == [lost])
        driver.pool.refused(lost, nowMillis: driver.now)
        #expect(driver.fill() == [])
        _ = try driver.advance()
        #expect(driver.fill() == [lost])
        driver.pool.closed(lost, nowMillis: driver.now)
        #expect(driver.fill() == [])
        #expect((26_000...34_000).contains(try driver.advance()))
        _ = try driver.connecting()
        #expect(driver.status == .held(.credential))
    }

    @Test func `waits for both the probe and the connection`() throws {
        let driver = try held()
        for _ in 0..<8 {
            #expect(driver.fill() == [])
            _ = try driver.advance()
            driver.pool.connectFailed(try driver.connecting(), nowMillis: driver.now)
        }
        #expect((30_000...60_000).contains(try driver.advance()))
    }

    @Test func `is released by another key, and sends at once on new connections`() throws {
        let driver = try held()
        #expect(driver.fill() == [])
        driver.pool.tokenChanged(to: .init(key: 1), nowMillis: driver.now)
        #expect(driver.status == .idle)
        #expect(driver.fill() == [])
        let id = try driver.open()
        #expect(driver.fill() == [id])
    }

    @Test func `is not released by the next token of the same key`() throws {
        let driver = try held()
        driver.pool.tokenChanged(to: .init(generation: 1), nowMillis: driver.now)
        driver.pool.tokenChanged(to: .init(generation: 2, renewal: 1), nowMillis: driver.now)
        #expect(driver.status == .held(.credential))
    }

    @Test func `ignores late answers about the key before`() throws {
        let driver = PoolDriver()
        let old = try driver.openProven(limit: 100)
        _ = driver.fill()
        driver.answer(old, .haltKey)
        #expect(driver.retired() == [old])
        driver.pool.tokenChanged(to: .init(key: 1), nowMillis: driver.now)
        #expect(driver.fill() == [])
        let new = try driver.open()
        for _ in 0..<99 { driver.answer(old, .haltKey) }
        #expect(driver.status == .ready)
        #expect(driver.fill() == [new])
    }

    @Test func `is held by a GOAWAY that names the credential`() throws {
        let driver = PoolDriver()
        #expect(driver.next() == nil)
        let id = try driver.open()
        driver.pool.goAway(id, .of(goAway: .known(.badCertificateEnvironment)), nowMillis: driver.now)
        #expect(driver.status == .held(.credential))
        #expect(driver.retired() == [id])
    }

    @Test func `is not held by one odd answer, but by several with nothing good between`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven(limit: 100)
        _ = driver.fill()
        for _ in 0..<10 {
            for _ in 0..<4 { driver.answer(id, .suspectKey) }
            driver.answer(id, .accepted)
        }
        #expect(driver.status == .ready)
        for _ in 0..<5 { driver.answer(id, .suspectKey) }
        #expect(driver.status == .held(.suspicion))
        #expect(driver.retired() == [id])
    }

    @Test func `is held by an expired token until there is another`() throws {
        for version in [TokenVersion(generation: 1), .init(generation: 1, renewal: 1), .init(key: 1)] {
            let driver = PoolDriver()
            let id = try driver.openProven(limit: 10)
            _ = driver.fill()
            driver.answer(id, .refreshToken)
            #expect(driver.status == .held(.expiredToken))
            #expect(driver.retired() == [id])
            #expect(driver.fill() == [])
            driver.pool.tokenChanged(to: version, nowMillis: driver.now)
            #expect(driver.fill() == [])
            let next = try driver.open()
            #expect(driver.fill() == [next])
        }
    }

    @Test func `leaves one connection that had too many tokens, and sends on the others`() throws {
        let driver = PoolDriver(connectionsMax: 2)
        let first = try driver.openProven(limit: 2)
        _ = driver.fill()
        let second = try driver.open(limit: 2)
        try driver.prove(second)
        driver.answer(first, .restConnection)
        #expect(driver.retired() == [first])
        #expect(driver.status == .ready)
        #expect(driver.fill() == [second, second])
    }

    @Test func `is held when a new connection has too many tokens from the start`() throws {
        let driver = PoolDriver()
        let first = try driver.openProven(limit: 2)
        driver.answer(try #require(driver.fill().first), .restConnection)
        #expect(driver.retired() == [first])
        #expect(driver.fill() == [])
        _ = try driver.advance()
        let second = try driver.open()
        #expect(driver.fill() == [second])
        driver.answer(second, .restConnection)
        #expect(driver.status == .held(.tokenUpdates))
        #expect(driver.retired() == [second])
        #expect((26_000...34_000).contains(try driver.advance()))
    }

    /// A pool after a refused credential.
    private func held() throws -> PoolDriver {
        let driver = PoolDriver()
        let id = try driver.openProven()
        #expect(driver.next() == id)
        driver.answer(id, .haltKey)
        #expect(driver.retired() == [id])
        return driver
    }

    /// Waits for the probe and sends it.
    private func probe(_ driver: PoolDriver) throws -> ConnectionID {
        #expect(driver.fill() == [])
        _ = try driver.advance()
        let id = try driver.open()
        #expect(driver.fill() == [id])
        return id
    }
}
