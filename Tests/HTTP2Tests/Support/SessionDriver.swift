@testable import HTTP2

/// A client session whose peer is the test: it reads what the session writes and answers by frames.
final class SessionDriver {
    let session: ClientSession
    private var kept: [UnsafeMutableRawBufferPointer] = []

    /// Starts a session, by default with a peer that has allowed a number of streams.
    init(limit: UInt32? = 100, firstStreamID: Int32 = 1) {
        session = ClientSession(firstStreamID: firstStreamID)
        _ = written()
        if let limit {
            receive(.settings([.maxConcurrentStreams: limit]), .settingsAck)
            _ = events()
            _ = written()
        }
    }

    deinit { for buffer in kept { buffer.deallocate() } }

    /// Opens a request with a body of so many bytes, each of them the tag.
    @discardableResult
    func submit(_ tag: UInt32, bodyBytes: Int = 5, deadline: Int64 = 1_000) -> Bool {
        let body = UnsafeMutableRawBufferPointer.allocate(byteCount: bodyBytes, alignment: 1)
        for index in body.indices { body[index] = UInt8(truncatingIfNeeded: tag) }
        kept.append(body)
        var headers = RequestHeaders()
        headers.add(":method", "POST")
        headers.add(":scheme", "https")
        headers.add(":authority", "localhost")
        headers.add(":path", "/3/device/00")
        return session.submit(headers, body: UnsafeRawBufferPointer(body), tag: tag, deadlineMillis: deadline)
    }

    /// Everything that the session wants to write now.
    func writtenBytes() -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count = session.pull(into: buffer, target: 16_384)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    func written() -> [Frame] { Frame.all(in: writtenBytes()) }

    func receive(_ frames: Frame...) { receive(bytes: frames.flatMap(\.bytes)) }

    func receive(bytes: [UInt8]) { bytes.withUnsafeBytes { session.receive($0) } }

    /// All events that wait, with the bodies of responses.
    func eventsAndBodies() -> [(event: ConnectionEvent, body: [UInt8])] {
        var all: [(ConnectionEvent, [UInt8])] = []
        while let event = session.nextEvent() { all.append((event, Array(session.responseBody))) }
        return all
    }

    func events() -> [ConnectionEvent] { eventsAndBodies().map(\.event) }
}
