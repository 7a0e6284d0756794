import Testing

@testable import HTTP2

@Suite struct FaultTests {
    private let driver = SessionDriver()

    /// What a peer may not send, and what then happens to the one open request.
    static let breaches: [(name: String, bytes: [UInt8])] = [
        ("no HTTP/2", Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)),
        ("a frame too large", [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]),
        ("data on stream 0", Frame.data(0, [1]).bytes),
        ("data before headers", Frame.data(1, [1]).bytes),
        ("headers on an unknown stream", Frame.status(99, 200).bytes),
        ("headers on a stream of its own", Frame.status(2, 200).bytes),
        ("a broken header block", Frame(.headers, flags: Frame.endHeaders, stream: 1, [0xFF, 0xFF, 0xFF]).bytes),
        ("an index beyond the table", Frame(.headers, flags: Frame.endHeaders, stream: 1, [0xBF, 0x7F]).bytes),
        ("a push", Frame(.pushPromise, flags: Frame.endHeaders, stream: 1, [0, 0, 0, 2, 0x88]).bytes),
        ("a window beyond 2^31", Frame.windowUpdate(0, 0x7FFF_FFFF).bytes),
        ("a window update of 0", Frame.windowUpdate(0, 0).bytes),
        ("settings of a wrong size", Frame(.settings, [0, 3, 0]).bytes),
        ("an impossible setting", Frame.settings([.maxFrameSize: 1]).bytes),
        ("settings on a stream", Frame(.settings, stream: 1).bytes),
        ("a ping of a wrong size", Frame(.ping, [1]).bytes),
        ("a reset of an idle stream", Frame.reset(77, 0).bytes),
        ("a continuation of nothing", Frame(.continuation, flags: Frame.endHeaders, stream: 1, [0x88]).bytes),
        ("a short goaway", Frame(.goAway, [0, 0]).bytes),
    ]

    @Test(arguments: breaches.map(\.name))
    func `ends the connection after`(breach: String) throws {
        let bytes = try #require(Self.breaches.first { $0.name == breach }).bytes
        driver.submit(1)
        _ = driver.written()
        driver.receive(bytes: bytes)
        _ = driver.written()
        driver.session.closeIfOver()
        let events = driver.events()
        #expect(events.count == 2, "\(events)")
        guard case .lost(tag: 1, _) = events.first, case .closed(.protocolError(let words)) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(!words.isEmpty)
        #expect(driver.session.isClosed)
        #expect(!driver.submit(2))
        #expect(driver.writtenBytes().isEmpty)
    }

    /// What spoils one answer only.
    static let malformed: [(name: String, frames: [Frame])] = [
        ("no status", [.headers(1, [("apns-id", "x")], end: true)]),
        ("two statuses", [.headers(1, [(":status", "500"), (":status", "500")], end: true)]),
        ("a status of two digits", [.headers(1, [(":status", "20")], end: true)]),
        ("a header in capitals", [.headers(1, [(":status", "500"), ("Apns-Id", "x")], end: true)]),
        ("a status in trailers", [.status(1, 500, end: false), .status(1, 200)]),
        ("the end with an announcement", [.status(1, 103)]),
        ("a wrong length", [.headers(1, [(":status", "400"), ("content-length", "5")]), .data(1, [1])]),
    ]

    @Test(arguments: malformed.map(\.name))
    func `loses one request after an answer with`(fault: String) throws {
        let frames = try #require(Self.malformed.first { $0.name == fault }).frames
        driver.submit(1)
        driver.submit(2)
        _ = driver.written()
        driver.receive(bytes: frames.flatMap(\.bytes))
        #expect(driver.written().map(\.kind) == [.rstStream])
        driver.receive(.status(3, 200))
        let events = driver.events()
        #expect(events.last == .response(tag: 2, status: 200, retryAfterSeconds: -1))
        guard events.count == 2, case .lost(tag: 1, .reset) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(!driver.session.isClosed)
    }

    @Test func `answers pings and passes over what it does not know`() {
        driver.receive(
            Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]),
            Frame(.priority, stream: 1, [0, 0, 0, 0, 1]),
            Frame(.windowUpdate, stream: 0, [0, 0, 0, 9])
        )
        driver.receive(bytes: [0, 0, 2, 0xEE, 0, 0, 0, 0, 0, 1, 2])
        #expect(driver.written() == [Frame(.ping, flags: Frame.ack, [1, 2, 3, 4, 5, 6, 7, 8])])
        #expect(driver.events().isEmpty)
    }

    @Test func `asks the peer by a ping`() {
        driver.session.ping()
        #expect(driver.written().map(\.kind) == [.ping])
        driver.receive(.pong)
        #expect(driver.events().isEmpty)
        #expect(!driver.session.isClosed)
    }

    @Test func `ends a connection that floods it with pings`() {
        for _ in 0..<3_000 where !driver.session.isClosed {
            driver.receive(Frame(.ping, .init(repeating: 1, count: 8)))
        }
        #expect(driver.session.isClosed)
    }

    @Test func `keeps 8 KiB of an answer without end`() {
        driver.submit(1)
        _ = driver.written()
        driver.receive(.status(1, 500, end: false))
        for _ in 0..<1_000 {
            driver.receive(.data(1, .init(repeating: 1, count: 16_000), end: false))
            _ = driver.writtenBytes()
        }
        driver.receive(.data(1, []))
        #expect(driver.eventsAndBodies().map(\.body.count) == [8_192])
    }

    @Test func `loses what was sent and gives back what was not when the connection ends`() {
        driver.submit(1)
        _ = driver.written()
        driver.submit(2)
        driver.session.close(.failed("reset by peer"))
        driver.session.close(.ended)
        #expect(
            driver.events() == [.lost(tag: 1, .closed), .refused(tag: 2), .closed(.failed("reset by peer"))]
        )
        driver.receive(.status(1, 200))
        #expect(driver.events().isEmpty)
        #expect(driver.session.nextEvent() == nil)
    }

    @Test func `takes any bytes without a trap`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let driver = SessionDriver()
            for tag in 1...3 { driver.submit(UInt32(tag)) }
            _ = driver.written()
            for _ in 0..<20 {
                var bytes =
                    [Frame.status(1, 200), .goAway(1), .settings([.maxConcurrentStreams: 0]), .data(3, [1, 2, 3])]
                    .randomElement(using: &random)?.bytes ?? []
                let position = Int.random(in: 0..<bytes.count, using: &random)
                bytes[position] ^= UInt8.random(in: 0...255, using: &random)
                driver.receive(bytes: bytes)
                _ = driver.writtenBytes()
                driver.session.closeIfOver()
            }
            driver.session.cancelAll()
            driver.session.close(.ended)
            let events = driver.events()
            #expect(events.filter { if case .closed = $0 { true } else { false } }.count == 1)
            let finals = events.filter {
                switch $0 {
                case .response, .refused, .lost: true
                default: false
                }
            }
            #expect(finals.count == 3)
        }
    }
}
