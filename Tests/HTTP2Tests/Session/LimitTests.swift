import Testing

@testable import HTTP2

@Suite struct LimitTests {
    @Test func `takes one request before the first settings`() {
        let driver = SessionDriver(limit: nil)
        #expect(driver.session.isAccepting)
        #expect(driver.submit(1))
        #expect(!driver.session.isAccepting)
        #expect(!driver.submit(2))
        driver.receive(.settings([.maxConcurrentStreams: 1_000]))
        #expect(driver.events() == [.streamLimitChanged(1_000)])
        #expect(driver.submit(2))
    }

    @Test func `takes settings without a number of streams for no limit`() {
        let driver = SessionDriver(limit: nil)
        driver.receive(.settings())
        #expect(driver.events() == [.streamLimitChanged(0x7FFF_FFFF)])
        for tag in 0..<300 { #expect(driver.submit(UInt32(tag))) }
        #expect(driver.written().filter { $0.kind == .headers }.count == 300)
    }

    @Test func `says nothing when the limit stays what it was`() {
        let driver = SessionDriver(limit: 5)
        driver.receive(.settings([.maxConcurrentStreams: 5, .initialWindowSize: 1_000]))
        #expect(driver.events().isEmpty)
    }

    @Test func `takes no more than the peer allows`() {
        let driver = SessionDriver(limit: 2)
        #expect(driver.submit(1))
        #expect(driver.submit(2))
        #expect(!driver.submit(3))
        _ = driver.written()
        driver.receive(.status(1, 200))
        #expect(driver.submit(3))
    }

    @Test func `keeps open requests when the limit falls below them`() {
        let driver = SessionDriver(limit: 10)
        for tag in 1...10 { driver.submit(UInt32(tag)) }
        _ = driver.written()
        driver.receive(.settings([.maxConcurrentStreams: 1]))
        #expect(driver.events() == [.streamLimitChanged(1)])
        #expect(!driver.session.isAccepting)
        for stream in 0..<9 { driver.receive(.status(Int32(2 * stream + 1), 200)) }
        #expect(driver.events().count == 9)
        #expect(!driver.session.isAccepting)
        driver.receive(.status(19, 200))
        #expect(driver.submit(11))
    }

    @Test func `gives back what has not left when the limit falls`() {
        let driver = SessionDriver(limit: 10)
        driver.submit(1)
        _ = driver.written()
        for tag in 2...5 { driver.submit(UInt32(tag)) }
        driver.receive(.settings([.maxConcurrentStreams: 2]))
        #expect(
            driver.events() == [
                .refused(tag: 5), .refused(tag: 4), .refused(tag: 3), .streamLimitChanged(2),
            ]
        )
        #expect(driver.written().filter { $0.kind == .headers }.map(\.streamID) == [3])
    }

    @Test func `takes nothing while no stream is allowed`() {
        let driver = SessionDriver(limit: 0)
        #expect(driver.session.streamLimit == 0)
        #expect(!driver.submit(1))
    }

    @Test func `says only the last of many limits`() {
        let driver = SessionDriver()
        for limit in 1...50 { driver.receive(.settings([.maxConcurrentStreams: UInt32(limit)])) }
        #expect(driver.events() == [.streamLimitChanged(50)])
    }

    @Test func `sends as much of bodies as the windows hold`() {
        let driver = SessionDriver()
        driver.submit(1, bodyBytes: 70_000)
        driver.submit(2, bodyBytes: 10)
        func sent() -> Int { driver.written().filter { $0.kind == .data }.reduce(0) { $0 + $1.payload.count } }
        #expect(sent() == 65_535)
        driver.receive(.windowUpdate(0, 4))
        #expect(sent() == 4)
        // The window of the first stream is full, whatever the connection's.
        driver.receive(.windowUpdate(0, 100_000))
        #expect(sent() == 6)
        driver.receive(.windowUpdate(1, 100_000))
        #expect(sent() == 70_010 - 65_545)
        driver.receive(.status(1, 200), .status(3, 200))
        #expect(driver.events().count == 2)
    }

    @Test func `survives windows that shrink below what is sent`() {
        let driver = SessionDriver()
        driver.submit(1, bodyBytes: 60_000)
        driver.receive(.settings([.initialWindowSize: 100]))
        _ = driver.written()
        driver.receive(.settings([.initialWindowSize: 0]))
        driver.submit(2, bodyBytes: 10)
        #expect(driver.written().allSatisfy { $0.kind != .data })
        driver.receive(.settings([.initialWindowSize: 65_535]))
        #expect(driver.written().contains { $0.kind == .data })
    }

    @Test func `ends with the stream ids`() {
        let driver = SessionDriver(firstStreamID: 0x7FFF_FFFD)
        #expect(driver.submit(1))
        #expect(driver.submit(2))
        #expect(!driver.session.isAccepting)
        #expect(!driver.submit(3))
        #expect(driver.written().filter { $0.kind == .headers }.map(\.streamID) == [0x7FFF_FFFD, 0x7FFF_FFFF])
        driver.receive(.status(0x7FFF_FFFF, 200))
        #expect(driver.events() == [.response(tag: 2, status: 200, retryAfterSeconds: -1)])
    }

    @Test func `follows a smaller header table of the peer`() {
        let driver = SessionDriver()
        driver.submit(1)
        _ = driver.written()
        driver.receive(.settings([.headerTableSize: 0]))
        driver.submit(2)
        let headers = driver.written().first { $0.kind == .headers }
        // A dynamic table size update to 0 (RFC 7541 section 6.3).
        #expect(headers?.payload.first == 0x20)
    }
}
