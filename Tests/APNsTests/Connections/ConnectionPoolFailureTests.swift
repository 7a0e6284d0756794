import APNs
import Testing

@Suite struct `Connection pool when connections fail` {
    @Test func `waits 1 s doubling to 60 s between attempts, half of it by chance`() throws {
        let driver = PoolDriver()
        #expect(driver.next() == nil)
        for failure in 0..<12 {
            driver.pool.connectFailed(try driver.connecting(), nowMillis: driver.now)
            #expect(driver.status == .unreachable)
            #expect(driver.actions() == [])
            let ceiling = min(Int64(60_000), 1_000 << Int64(failure))
            #expect((ceiling / 2...ceiling).contains(try driver.advance()))
        }
    }

    @Test func `does not move in step with its neighbours`() throws {
        let waits = try (0..<20).map { (seed: UInt64) in
            let driver = PoolDriver(seed: seed)
            #expect(driver.next() == nil)
            for _ in 0..<6 {
                driver.pool.connectFailed(try driver.connecting(), nowMillis: driver.now)
                _ = try driver.advance()
            }
            return driver.now
        }
        #expect(Set(waits).count > 15)
    }

    @Test func `begins anew after an answer, not after a connection alone`() throws {
        let driver = PoolDriver()
        #expect(driver.next() == nil)
        for _ in 0..<5 {
            driver.pool.connectFailed(try driver.connecting(), nowMillis: driver.now)
            _ = try driver.advance()
        }
        let first = try driver.open()
        driver.pool.closed(first, nowMillis: driver.now)
        #expect(driver.next() == nil)
        #expect(try driver.advance() >= 16_000)
        let second = try driver.open()
        try driver.prove(second)
        driver.pool.closed(second, nowMillis: driver.now)
        #expect(driver.next() == nil)
        #expect((500...1_000).contains(try driver.advance()))
    }

    @Test func `replaces a connection at once that worked for a while`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven()
        driver.now += 600_000
        driver.pool.closed(id, nowMillis: driver.now)
        #expect(driver.status == .idle)
        #expect(driver.actions() == [])
        #expect(driver.next() == nil)
        #expect(try driver.connecting() != id)
    }

    @Test func `does not hammer a peer that accepts one push and closes`() throws {
        let driver = PoolDriver()
        var id = try driver.openProven()
        let start = driver.now
        for _ in 0..<10 {
            driver.pool.closed(id, nowMillis: driver.now)
            #expect(driver.next() == nil)
            _ = try driver.advance()
            id = try driver.open()
            try driver.prove(id)
        }
        #expect(driver.now - start >= 5_000)
    }

    @Test func `replaces a connection after a GOAWAY within a moment, and not all at one instant`() throws {
        let waits = try (0..<20).map { (seed: UInt64) in
            let driver = PoolDriver(seed: seed)
            let id = try driver.openProven()
            driver.now += 600_000
            driver.pool.goAway(id, .reconnect, nowMillis: driver.now)
            #expect(driver.retired() == [id])
            #expect(driver.next() == nil)
            let wait = try driver.advance()
            _ = try driver.connecting()
            return wait
        }
        #expect(waits.allSatisfy { (0...500).contains($0) })
        #expect(Set(waits).count > 10)
    }

    @Test func `sends on the others while one is replaced`() throws {
        let driver = PoolDriver(connectionsMax: 2)
        let first = try driver.openProven(limit: 2)
        _ = driver.fill()
        let second = try driver.open(limit: 2)
        try driver.prove(second)
        driver.pool.goAway(first, .reconnect, nowMillis: driver.now)
        #expect(driver.retired() == [first])
        #expect(driver.fill() == [second, second])
        #expect(driver.status == .ready)
    }

    @Test func `leaves a connection for which APNs wants another`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven(limit: 10)
        driver.now += 600_000
        _ = driver.fill()
        driver.answer(id, .reconnect)
        #expect(driver.retired() == [id])
        #expect(driver.next() == nil)
    }

    @Test func `retires a connection that answers only server errors`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven(limit: 10)
        _ = driver.fill()
        for _ in 0..<4 { driver.answer(id, .retry) }
        #expect(driver.actions() == [])
        driver.answer(id, .accepted)
        for _ in 0..<4 { driver.answer(id, .retry) }
        #expect(driver.actions() == [])
        driver.answer(id, .retry)
        #expect(driver.retired() == [id])
        #expect(driver.next() == nil)
        #expect((500...1_000).contains(try driver.advance()))
        #expect(try driver.connecting() != id)
    }

    @Test func `retires a connection that answers nothing`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven(limit: 10)
        _ = driver.fill()
        for _ in 0..<5 { driver.pool.lost(id, nowMillis: driver.now) }
        #expect(driver.retired() == [id])
    }

    @Test func `keeps a connection of which one stream is never answered`() throws {
        let driver = PoolDriver(connectionsMax: 1)
        let id = try driver.openProven(limit: 10)
        for _ in 0..<20 {
            #expect(driver.next() == id)
            driver.pool.lost(id, nowMillis: driver.now)
            try driver.prove(id)
        }
        #expect(driver.actions() == [])
    }

    @Test func `sends one at a time after a refusal, until an answer`() throws {
        let driver = PoolDriver(connectionsMax: 1)
        let id = try driver.openProven(limit: 10)
        _ = driver.fill()
        for _ in 0..<6 { driver.pool.refused(id, nowMillis: driver.now) }
        #expect(driver.fill() == [])
        for _ in 0..<4 { driver.answer(id, .accepted) }
        #expect(driver.fill().count == 10)
        #expect(driver.actions() == [])
    }

    @Test func `retires a connection that refuses one at a time again and again`() throws {
        let driver = PoolDriver(connectionsMax: 1)
        let id = try driver.openProven(limit: 10)
        var sent = 0
        while driver.next() == id, sent < 100 {
            sent += 1
            driver.pool.refused(id, nowMillis: driver.now)
        }
        #expect(sent == 5)
        #expect(driver.retired() == [id])
    }

    @Test func `retires a connection that takes no request`() throws {
        let driver = PoolDriver()
        let id = try driver.openProven()
        driver.now += 600_000
        #expect(driver.next() == id)
        driver.pool.submissionFailed(id, nowMillis: driver.now)
        #expect(driver.retired() == [id])
        #expect(driver.next() == nil)
        #expect(try driver.connecting() != id)
    }
}
