import EventLoop

@testable import APNsSimulator
@testable import HTTP2

/// A client that sends pushes over one connection and collects what comes back, on the thread of the test.
final class TestClient {
    struct Failure: Error { let text: String }

    /// What a request came to.
    enum Outcome: Equatable {
        case answer(status: UInt16, body: String, retryAfter: Int32)
        case refused
        case lost(LossReason)
    }

    static let timeoutMillis: Int64 = 20_000

    let connection: ClientConnection
    private var poller: Poller
    private var bodies: [UnsafeMutableRawBufferPointer] = []
    private var wantedWrite = false

    private(set) var outcomes: [UInt32: Outcome] = [:]
    private(set) var streamLimits: [Int] = []
    private(set) var goAway: (lastStreamID: Int32, code: UInt32, data: String)?
    private(set) var closed: CloseReason?

    init(_ simulator: APNsSimulator, requestTimeoutMillis: Int64 = timeoutMillis) throws {
        let endpoint = Endpoint(host: "localhost", port: simulator.port, caFile: simulator.caFile)
        let transport = try Transport(to: endpoint, timeoutMillis: Int(Self.timeoutMillis))
        var settings = ClientSettings()
        settings.requestTimeoutMillis = requestTimeoutMillis
        connection = ClientConnection(
            transport: transport,
            settings: settings,
            nowMillis: Clock.monotonicMillis()
        )
        poller = try Poller(capacity: 1)
        try poller.add(connection.fileDescriptor, .read, tag: 0)
    }

    deinit { for body in bodies { body.deallocate() } }

    /// Submits a request; false where the connection takes none now.
    @discardableResult
    func submit(_ request: TestRequest, tag: UInt32) -> Bool {
        var headers = RequestHeaders(capacity: 32)
        headers.add(":authority", "localhost")
        for field in request.fields where field.name != "host" {
            let name = TestClient.names[field.name] ?? "x-other"
            Array(field.value.utf8).withUnsafeBytes { bytes in
                // Kept until the end of the client, as the body is.
                let value = Self.copy(bytes)
                bodies.append(value)
                _ = headers.add(name, UnsafeRawBufferPointer(value), indexed: false, copied: false)
            }
        }
        let body = request.body.withUnsafeBytes(Self.copy)
        bodies.append(body)
        return connection.submit(
            headers,
            body: UnsafeRawBufferPointer(body),
            tag: tag,
            nowMillis: Clock.monotonicMillis()
        )
    }

    private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let copied = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        copied.copyMemory(from: bytes)
        return UnsafeMutableRawBufferPointer(rebasing: copied[..<bytes.count])
    }

    private static let names: [String: StaticString] = [
        ":method": ":method", ":scheme": ":scheme", ":path": ":path", "authorization": "authorization",
        "apns-topic": "apns-topic", "apns-push-type": "apns-push-type", "apns-priority": "apns-priority",
        "apns-expiration": "apns-expiration", "apns-collapse-id": "apns-collapse-id", "apns-id": "apns-id",
    ]

    /// Moves bytes until something holds; fails when the time is over.
    func run(until isDone: (TestClient) -> Bool) throws {
        let deadline = Clock.monotonicMillis() + Self.timeoutMillis
        while true {
            let now = Clock.monotonicMillis()
            connection.flush(nowMillis: now)
            takeEvents()
            if isDone(self) { return }
            guard now < deadline else { throw Failure(text: "nothing came within \(Self.timeoutMillis) ms") }
            if connection.wantsWrite != wantedWrite {
                wantedWrite = connection.wantsWrite
                try poller.modify(connection.fileDescriptor, wantedWrite ? [.read, .write] : .read, tag: 0)
            }
            if closed == nil {
                _ = poller.wait(timeoutMillis: Int(min(deadline, connection.nextDeadlineMillis) - now))
            }
            connection.receive(nowMillis: Clock.monotonicMillis())
            connection.tick(nowMillis: Clock.monotonicMillis())
            takeEvents()
        }
    }

    /// Sends one request and waits for what it comes to.
    func send(_ request: TestRequest, tag: UInt32 = 1) throws -> Outcome {
        try run(until: { $0.connection.isAccepting })
        submit(request, tag: tag)
        try run(until: { $0.outcomes[tag] != nil })
        return outcomes[tag] ?? .refused
    }

    private func takeEvents() {
        while let event = connection.nextEvent() {
            switch event {
            case .response(let tag, let status, let retryAfter):
                let body = String(decoding: connection.responseBody, as: UTF8.self)
                outcomes[tag] = .answer(status: status, body: body, retryAfter: retryAfter)
            case .refused(let tag): outcomes[tag] = .refused
            case .lost(let tag, let reason): outcomes[tag] = .lost(reason)
            case .streamLimitChanged(let limit): streamLimits.append(limit)
            case .goAway(let last, let code):
                goAway = (last, code, String(decoding: connection.goAwayData, as: UTF8.self))
            case .closed(let reason): closed = reason
            }
        }
    }
}
