import APNs
import Testing

@Suite struct `Connection pool when the token changes` {
    private let interval = TokenClock.updateIntervalMillis

    @Test func `keeps connections that had the last token for 20 minutes`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven()
        driver.now += interval
        driver.pool.tokenChanged(to: .init(generation: 1), nowMillis: driver.now)
        #expect(driver.actions() == [])
        #expect(driver.next() == id)
        driver.now += interval - 1
        driver.pool.tokenChanged(to: .init(generation: 2), nowMillis: driver.now)
        #expect(driver.retired() == [id])
    }

    @Test func `replaces connections that had it for less, without a wait`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven()
        driver.now += interval - 1
        driver.pool.tokenChanged(to: .init(generation: 1), nowMillis: driver.now)
        #expect(driver.retired() == [id])
        #expect(driver.fill() == [])
        _ = try driver.connecting()
    }

    @Test func `keeps a connection that has sent no token yet`() throws {
        let driver = PoolDriver()
        #expect(driver.next() == nil)
        let id = try driver.open()
        driver.pool.tokenChanged(to: .init(key: 1), nowMillis: driver.now)
        #expect(driver.actions() == [])
        #expect(driver.fill() == [id])
    }

    @Test(arguments: [TokenVersion(key: 1), .init(generation: 1, renewal: 1)])
    func `sends another key, and a token after an expired one, on new connections only`(version: TokenVersion) throws {
        let driver = PoolDriver()
        let id = try driver.openProven()
        driver.now += 10 * interval
        driver.pool.tokenChanged(to: version, nowMillis: driver.now)
        #expect(driver.retired() == [id])
        #expect(driver.fill() == [])
        let next = try driver.open()
        #expect(driver.fill() == [next])
    }

    @Test func `does nothing where the token is the same`() throws {
        let driver = PoolDriver()
        _ = try driver.openProven()
        driver.pool.tokenChanged(to: TokenVersion(), nowMillis: driver.now)
        #expect(driver.actions() == [])
    }

    @Test func `forgets failures with another key`() throws {
        let driver = PoolDriver()
        #expect(driver.next() == nil)
        for _ in 0..<8 {
            driver.pool.connectFailed(try driver.connecting(), nowMillis: driver.now)
            _ = try driver.advance()
        }
        driver.pool.connectFailed(try driver.connecting(), nowMillis: driver.now)
        driver.pool.tokenChanged(to: .init(key: 1), nowMillis: driver.now)
        _ = try driver.connecting()
    }
}
