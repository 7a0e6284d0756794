import Testing

@testable import HTTP2

@Suite struct GoAwayTests {
    private let driver = SessionDriver()

    @Test func `gives back requests above the last stream and lets those below finish`() {
        for tag in 1...3 { driver.submit(UInt32(tag)) }
        _ = driver.written()
        driver.receive(.goAway(3, 0, #"{"reason":"Shutdown"}"#))
        #expect(driver.events() == [.goAway(lastStreamID: 3, errorCode: 0), .refused(tag: 3)])
        #expect(String(decoding: driver.session.goAwayData, as: UTF8.self) == #"{"reason":"Shutdown"}"#)
        #expect(!driver.session.isAccepting)
        #expect(!driver.submit(4))
        driver.receive(.status(1, 200), .status(3, 200))
        driver.session.closeIfOver()
        #expect(
            driver.events() == [
                .response(tag: 1, status: 200, retryAfterSeconds: -1),
                .response(tag: 2, status: 200, retryAfterSeconds: -1),
                .closed(.goAway),
            ]
        )
    }

    @Test func `gives back what has not left`() {
        driver.submit(1)
        _ = driver.written()
        driver.submit(2)
        driver.receive(.goAway(0x7FFF_FFFF))
        #expect(driver.events() == [.goAway(lastStreamID: 0x7FFF_FFFF, errorCode: 0), .refused(tag: 2)])
        #expect(driver.written().allSatisfy { $0.kind != .headers })
        driver.receive(.status(1, 200))
        #expect(driver.events() == [.response(tag: 1, status: 200, retryAfterSeconds: -1)])
    }

    @Test func `follows a second one that takes less`() {
        driver.submit(1)
        driver.submit(2)
        _ = driver.written()
        driver.receive(.goAway(0x7FFF_FFFF))
        #expect(driver.events() == [.goAway(lastStreamID: 0x7FFF_FFFF, errorCode: 0)])
        driver.receive(.goAway(1))
        #expect(driver.events() == [.goAway(lastStreamID: 1, errorCode: 0), .refused(tag: 2)])
    }

    @Test func `closes at once when nothing is open`() {
        driver.receive(.goAway(0, ErrorCode.enhanceYourCalm, "too many"))
        driver.session.closeIfOver()
        #expect(
            driver.events() == [
                .goAway(lastStreamID: 0, errorCode: ErrorCode.enhanceYourCalm), .closed(.goAway),
            ]
        )
    }

    @Test func `loses what is open when the connection ends after it`() {
        driver.submit(1)
        driver.submit(2)
        _ = driver.written()
        driver.receive(.goAway(1))
        driver.session.close(.ended)
        #expect(
            driver.events() == [
                .goAway(lastStreamID: 1, errorCode: 0), .refused(tag: 2), .lost(tag: 1, .closed), .closed(.ended),
            ]
        )
    }

    @Test(arguments: [0, 1, 1_024, 1_025, 16_000])
    func `keeps the first of the peer's words`(count: Int) {
        driver.receive(.goAway(0, 0, String(repeating: "x", count: count)))
        #expect(driver.session.goAwayData.count == min(count, 1_024))
    }

    @Test func `says a repeated one once`() {
        driver.submit(1)
        _ = driver.written()
        for _ in 0..<500 { driver.receive(.goAway(1, 0, "again")) }
        #expect(driver.events() == [.goAway(lastStreamID: 1, errorCode: 0)])
    }
}
