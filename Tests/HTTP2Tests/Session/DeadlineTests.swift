import Testing

@testable import HTTP2

@Suite struct DeadlineTests {
    private let driver = SessionDriver()

    @Test func `resets what is due in order and leaves the rest`() {
        driver.submit(1, deadline: 100)
        driver.submit(2, deadline: 200)
        driver.submit(3, deadline: 200)
        driver.submit(4, deadline: 201)
        _ = driver.written()
        #expect(driver.session.deadlineMillis == 100)
        driver.session.expire(nowMillis: 99)
        #expect(driver.events().isEmpty)
        driver.session.expire(nowMillis: 200)
        #expect(driver.events() == (1...3).map { .lost(tag: $0, .deadline) })
        #expect(driver.written() == [1, 3, 5].map { .reset($0, ErrorCode.cancel) })
        #expect(driver.session.deadlineMillis == 201)
    }

    @Test func `passes over an answer that comes after the deadline`() {
        driver.submit(1, deadline: 100)
        _ = driver.written()
        driver.session.expire(nowMillis: 100)
        _ = driver.events()
        driver.receive(.status(1, 200))
        _ = driver.written()
        driver.receive(.data(1, [1]))
        driver.submit(2)
        #expect(driver.written().map(\.streamID).contains(3))
        driver.receive(.status(3, 200))
        #expect(driver.events() == [.response(tag: 2, status: 200, retryAfterSeconds: -1)])
        #expect(!driver.session.isClosed)
    }

    @Test func `gives back what has never left when its time is over`() {
        driver.submit(1, deadline: 100)
        driver.session.expire(nowMillis: 100)
        #expect(driver.events() == [.refused(tag: 1)])
        #expect(driver.written().filter { $0.kind == .headers }.isEmpty)
    }

    @Test func `resets all when asked to`() {
        driver.submit(1)
        driver.submit(2)
        _ = driver.written()
        driver.submit(3)
        driver.session.cancelAll()
        #expect(
            driver.events() == [.lost(tag: 1, .cancelled), .lost(tag: 2, .cancelled), .refused(tag: 3)]
        )
        #expect(driver.session.streams.openCount == 0)
        #expect(driver.session.deadlineMillis == .max)
        #expect(!driver.session.isClosed)
    }

    @Test func `reads no body of a request that was reset before it was sent`() {
        driver.submit(1, bodyBytes: 200_000)
        #expect(driver.written().last?.kind == .data)
        driver.session.cancelAll()
        driver.receive(.windowUpdate(0, 1_000_000), .windowUpdate(1, 1_000_000))
        #expect(driver.written() == [.reset(1, ErrorCode.cancel)])
    }
}
