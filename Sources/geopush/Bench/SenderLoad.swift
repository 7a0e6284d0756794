internal import EventLoop
internal import Events
internal import HTTP2

/// One connection that is kept full of pushes, as a lane keeps it, without Kafka on either side.
final class SenderLoad {
    private static let body: StaticString = #"{"aps":{"content-available":1},"locationId":"loc-000123"}"#

    private let connection: ClientConnection
    private let authority: [UInt8]
    private let authorization: [UInt8]
    private let pathPrefix: [UInt8]
    private var headers = RequestHeaders(capacity: 16)
    private var path = ByteBuffer(capacity: 256)
    private var id = ByteBuffer(capacity: 64)
    private var expiration = ByteBuffer(capacity: 16)
    private var accepted = 0
    private var answered = 0

    init(connection: ClientConnection, authority: String, authorization: String, pathPrefix: String) {
        self.connection = connection
        self.authority = Array(authority.utf8)
        self.authorization = Array(authorization.utf8)
        self.pathPrefix = Array(pathPrefix.utf8)
    }

    /// Sends pushes until all are answered.
    ///
    /// - Throws: When one was not accepted.
    func send(_ pushes: Int) throws {
        var poller = try Poller(capacity: 1)
        try poller.add(connection.fileDescriptor, .read, tag: 1)
        var started = 0
        var isWatchedForWriting = false
        while answered < pushes {
            var now = Clock.monotonicMillis()
            while started < pushes, connection.openStreams < SenderBench.concurrency, try submit(started, now) {
                started += 1
            }
            connection.flush(nowMillis: now)
            if connection.wantsWrite != isWatchedForWriting {
                isWatchedForWriting = connection.wantsWrite
                try poller.modify(
                    connection.fileDescriptor,
                    isWatchedForWriting ? [.read, .write] : .read,
                    tag: 1
                )
            }
            _ = poller.wait(timeoutMillis: 1_000)
            now = Clock.monotonicMillis()
            connection.receive(nowMillis: now)
            connection.tick(nowMillis: now)
            while let event = connection.nextEvent() { try handle(event) }
        }
        guard accepted == pushes else { throw BenchError("\(accepted) of \(pushes) accepted") }
    }

    private func handle(_ event: ConnectionEvent) throws {
        switch event {
        case .response(_, let status, _):
            answered += 1
            if status == 200 { accepted += 1 }
        case .refused, .lost, .closed: throw BenchError("the connection broke: \(event)")
        case .streamLimitChanged, .goAway: break
        }
    }

    private func submit(_ number: Int, _ nowMillis: Int64) throws -> Bool {
        guard connection.isAccepting else { return false }
        write(number)
        let bytes = unsafe UnsafeRawBufferPointer(start: Self.body.utf8Start, count: Self.body.utf8CodeUnitCount)
        return unsafe connection.submit(
            headers,
            body: bytes,
            tag: UInt32(truncatingIfNeeded: number),
            nowMillis: nowMillis
        )
    }

    private func write(_ number: Int) {
        path.removeAll()
        unsafe pathPrefix.withUnsafeBytes { unsafe path.append($0) }
        appendHex(number, digits: 64, to: &path)
        id.removeAll()
        id.append("00000000-0000-5000-8000-")
        appendHex(number, digits: 12, to: &id)
        expiration.removeAll()
        expiration.append(decimal: 1_790_000_000)
        headers.removeAll()
        headers.add(":method", "POST")
        headers.add(":scheme", "https")
        unsafe authority.withUnsafeBytes { _ = unsafe headers.add(":authority", $0, indexed: true, copied: true) }
        unsafe headers.add(":path", path.bytes, indexed: false, copied: true)
        unsafe authorization.withUnsafeBytes {
            _ = unsafe headers.add("authorization", $0, indexed: false, copied: true)
        }
        headers.add("apns-topic", "com.example.app")
        headers.add("apns-push-type", "background")
        headers.add("apns-priority", "5")
        unsafe headers.add("apns-expiration", expiration.bytes, indexed: true, copied: true)
        headers.add("apns-collapse-id", "loc-000123")
        unsafe headers.add("apns-id", id.bytes, indexed: false, copied: true)
    }

    private func appendHex(_ number: Int, digits: Int, to buffer: inout ByteBuffer) {
        for position in (0..<digits).reversed() {
            let digit = position < 16 ? UInt8(truncatingIfNeeded: number >> (position * 4)) & 15 : 0
            buffer.append(digit < 10 ? digit + 0x30 : digit + 0x57)
        }
    }
}
