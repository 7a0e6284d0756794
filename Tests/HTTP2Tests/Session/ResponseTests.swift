import Testing

@testable import HTTP2

@Suite struct ResponseTests {
    private let driver = SessionDriver()

    @Test func `starts with the preface and refuses pushes`() throws {
        let session = SessionDriver(limit: nil).session
        #expect(session.streamLimit == 1)
        let fresh = ClientSession()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        let bytes = Array(buffer[..<fresh.pull(into: buffer, target: 16_384)])
        #expect(bytes.starts(with: Frame.preface))
        let settings = try #require(Frame.all(in: bytes).first)
        #expect(settings.kind == .settings)
        #expect(settings.payload.starts(with: [0, 2, 0, 0, 0, 0]))
    }

    @Test func `sends headers and body and reports the answer`() {
        #expect(driver.submit(7, bodyBytes: 5))
        let frames = driver.written()
        #expect(frames.map(\.kind) == [.headers, .data])
        #expect(frames.map(\.streamID) == [1, 1])
        #expect(frames[1] == .data(1, [7, 7, 7, 7, 7]))
        driver.receive(.status(1, 200))
        #expect(driver.events() == [.response(tag: 7, status: 200, retryAfterSeconds: -1)])
        #expect(driver.session.streams.openCount == 0)
    }

    @Test func `sends a request without a body in one frame`() {
        driver.submit(1, bodyBytes: 0)
        let frames = driver.written()
        #expect(frames.map(\.kind) == [.headers])
        #expect(frames[0].isEndStream)
    }

    @Test func `joins a body that is split over frames and reads`() {
        driver.submit(1)
        _ = driver.written()
        let bytes =
            Frame.headers(1, [(":status", "400"), ("retry-after", "12"), ("apns-id", "x")]).bytes
            + Frame.data(1, Array("{\"reason\":".utf8), end: false).bytes + Frame.data(1, [], end: false).bytes
            + Frame.data(1, Array("\"BadTopic\"}".utf8)).bytes
        for byte in bytes { driver.receive(bytes: [byte]) }
        let answers = driver.eventsAndBodies()
        #expect(answers.map(\.event) == [.response(tag: 1, status: 400, retryAfterSeconds: 12)])
        #expect(String(decoding: answers[0].body, as: UTF8.self) == #"{"reason":"BadTopic"}"#)
    }

    @Test func `keeps each body with its response`() {
        for tag in 1...3 { driver.submit(UInt32(tag)) }
        _ = driver.written()
        for stream in [5, 1, 3] as [Int32] {
            driver.receive(.status(stream, 410, end: false), .data(stream, [UInt8(stream)]))
        }
        #expect(driver.eventsAndBodies().map(\.body) == [[5], [1], [3]])
    }

    @Test func `waits for the final status and passes over trailers`() {
        driver.submit(1)
        _ = driver.written()
        driver.receive(.status(1, 103, end: false), .status(1, 100, end: false))
        #expect(driver.events().isEmpty)
        driver.receive(
            .status(1, 500, end: false),
            .data(1, [1], end: false),
            .headers(1, [("x-trailer", "y")], end: true)
        )
        #expect(driver.events() == [.response(tag: 1, status: 500, retryAfterSeconds: -1)])
    }

    @Test func `takes a whole answer before the request was sent in full`() {
        driver.submit(1, bodyBytes: 70_000)
        #expect(driver.written().last?.isEndStream == false)
        driver.receive(.status(1, 413, end: false), .data(1, [1, 2]))
        #expect(driver.eventsAndBodies().map(\.body) == [[1, 2]])
        #expect(driver.written() == [.reset(1, ErrorCode.cancel)])
        #expect(driver.session.streams.openCount == 0)
    }

    @Test func `takes a reset without an error after an answer for its end`() {
        driver.submit(1, bodyBytes: 70_000)
        _ = driver.written()
        driver.receive(.status(1, 400, end: false), .data(1, [1], end: false), .reset(1, ErrorCode.none))
        #expect(driver.events() == [.response(tag: 1, status: 400, retryAfterSeconds: -1)])
    }

    @Test func `loses a request whose error is reset before its end`() {
        driver.submit(1)
        _ = driver.written()
        driver.receive(.status(1, 400, end: false), .reset(1, ErrorCode.internalError))
        #expect(driver.events() == [.lost(tag: 1, .reset(ErrorCode.internalError))])
    }

    @Test func `trusts a good status whatever comes after it`() {
        for tag in 1...3 { driver.submit(UInt32(tag)) }
        _ = driver.written()
        for stream in [1, 3, 5] as [Int32] { driver.receive(.status(stream, 200, end: false)) }
        driver.receive(.reset(1, ErrorCode.internalError))
        driver.session.expire(nowMillis: 1_000)
        #expect(driver.events() == (1...3).map { .response(tag: $0, status: 200, retryAfterSeconds: -1) })
    }

    @Test(arguments: [ErrorCode.none, ErrorCode.internalError, ErrorCode.cancel])
    func `loses a request that is reset without an answer`(code: UInt32) {
        driver.submit(1)
        _ = driver.written()
        driver.receive(.reset(1, code))
        #expect(driver.events() == [.lost(tag: 1, .reset(code))])
    }

    @Test func `gives a refused request back`() {
        driver.submit(1)
        _ = driver.written()
        driver.receive(.reset(1, ErrorCode.refusedStream))
        #expect(driver.events() == [.refused(tag: 1)])
    }
}
