import EventLoop
import Glibc

@testable import HTTP2

/// A client connection that is driven by hand; its time stands still unless the test moves it.
final class TestClient {
    let connection: ClientConnection
    private let body: UnsafeMutableRawBufferPointer
    private let deadlineMillis = Clock.monotonicMillis() + 20_000

    init(_ endpoint: Endpoint, settings: ClientSettings = ClientSettings(), bodyBytes: Int = 57) throws {
        let transport = try Transport(to: endpoint, timeoutMillis: 10_000)
        connection = ClientConnection(transport: transport, settings: settings, nowMillis: 0)
        body = .allocate(byteCount: bodyBytes, alignment: 1)
        for index in body.indices { body[index] = UInt8(truncatingIfNeeded: index) }
    }

    deinit { body.deallocate() }

    func submit(_ tag: UInt32, path: StaticString = "/3/device/00", now: Int64 = 0) -> Bool {
        var headers = RequestHeaders()
        headers.add(":method", "POST")
        headers.add(":scheme", "https")
        headers.add(":authority", "localhost")
        headers.add(":path", path)
        return connection.submit(headers, body: UnsafeRawBufferPointer(body), tag: tag, nowMillis: now)
    }

    /// Runs the connection until an event is there, and takes it; nil when none comes in time.
    func next(now: Int64 = 0) -> ConnectionEvent? {
        while true {
            connection.flush(nowMillis: now)
            if let event = connection.nextEvent() { return event }
            var descriptor = pollfd(
                fd: connection.fileDescriptor,
                events: Int16(connection.wantsWrite ? POLLIN | POLLOUT : POLLIN),
                revents: 0
            )
            let left = deadlineMillis - Clock.monotonicMillis()
            guard left > 0, poll(&descriptor, 1, Int32(left)) > 0 else { return nil }
            connection.receive(nowMillis: now)
        }
    }

    /// The next event that is not about the number of streams.
    func nextFinal(now: Int64 = 0) -> ConnectionEvent? {
        while let event = next(now: now) {
            if case .streamLimitChanged = event { continue }
            return event
        }
        return nil
    }
}
