import BlockingTestSupport
import EventLoop
import Glibc
import Testing

@testable import HTTP2

@Suite(.blocks) struct ClientConnectionTests {
    @Test func `sends a request over TLS and reads the answer`() throws {
        let peer = try TestPeer { stream in
            stream.send(.settings([.maxConcurrentStreams: 10]))
            let frames = stream.read(until: .data)
            #expect(frames.last { $0.kind == .data }?.payload.count == 57)
            stream.send(.status(1, 410, end: false), .data(1, Array(#"{"reason":"Unregistered"}"#.utf8)))
            stream.readToEnd()
        }
        let client = try TestClient(peer.endpoint)
        #expect(client.submit(3))
        #expect(client.nextFinal() == .response(tag: 3, status: 410, retryAfterSeconds: -1))
        #expect(String(decoding: client.connection.responseBody, as: UTF8.self) == #"{"reason":"Unregistered"}"#)
        #expect(client.connection.openStreams == 0)
        #expect(client.connection.streamLimit == 10)
        #expect(!client.connection.wantsWrite)
    }

    @Test func `writes on when a peer that does not read reads again`() throws {
        let (count, bytes) = (40, 500_000)
        let gate = try EventSignal()
        let peer = try TestPeer { stream in
            stream.send(.settings([.initialWindowSize: 1 << 30]), .windowUpdate(0, 1 << 30))
            #expect(gate.wait(timeoutMillis: 20_000))
            let data = stream.read(ends: count).filter { $0.kind == .data }
            #expect(data.reduce(0) { $0 + $1.payload.count } == count * bytes)
            for end in data where end.isEndStream { stream.send(.status(Int32(end.streamID), 200)) }
            stream.readToEnd()
        }
        let client = try TestClient(peer.endpoint, bodyBytes: bytes)
        client.connection.flush(nowMillis: 0)
        #expect(client.next() == .streamLimitChanged(0x7FFF_FFFF))
        for tag in 0..<count { #expect(client.submit(UInt32(tag))) }
        client.connection.flush(nowMillis: 0)
        #expect(client.connection.wantsWrite)
        // Offering the same again changes nothing.
        for _ in 0..<3 { client.connection.flush(nowMillis: 0) }
        #expect(client.connection.wantsWrite)
        gate.raise()
        var tags: Set<UInt32> = []
        while tags.count < count, case .response(let tag, 200, _)? = client.nextFinal() { tags.insert(tag) }
        #expect(tags.count == count)
    }

    @Test func `loses requests when the peer closes`() throws {
        let peer = try TestPeer { stream in
            stream.send(.settings())
            stream.read(until: .data)
            stream.finish()
            stream.readToEnd()
        }
        let client = try TestClient(peer.endpoint)
        #expect(client.submit(1))
        #expect(client.nextFinal() == .lost(tag: 1, .closed))
        #expect(client.nextFinal() == .closed(.ended))
        #expect(!client.connection.isAccepting)
        #expect(!client.submit(2))
        #expect(client.connection.nextDeadlineMillis == .max)
    }

    @Test func `loses requests when the connection is reset`() throws {
        let peer = try TestPeer { stream in
            stream.send(.settings())
            stream.read(until: .data)
            stream.resetOnClose()
        }
        let client = try TestClient(peer.endpoint)
        #expect(client.submit(1))
        #expect(client.nextFinal() == .lost(tag: 1, .closed))
        guard case .closed(.failed(let words)) = client.nextFinal() else {
            Issue.record("no failure")
            return
        }
        #expect(!words.isEmpty)
    }

    @Test func `closes after GOAWAY when the last answer is there`() throws {
        let peer = try TestPeer { stream in
            stream.send(.settings())
            stream.read(until: .data)
            stream.send(.goAway(1, 0, #"{"reason":"Shutdown"}"#), .status(1, 200))
            stream.readToEnd()
        }
        let client = try TestClient(peer.endpoint)
        #expect(client.submit(1))
        #expect(client.nextFinal() == .goAway(lastStreamID: 1, errorCode: 0))
        #expect(client.nextFinal() == .response(tag: 1, status: 200, retryAfterSeconds: -1))
        #expect(client.nextFinal() == .closed(.goAway))
    }

    @Test func `tells a peer that breaks the protocol so and closes`() throws {
        let told = try EventSignal()
        let peer = try TestPeer { stream in
            stream.send(.settings(), .data(0, [1]))
            if stream.read(until: .goAway).last?.kind == .goAway { told.raise() }
            stream.readToEnd()
        }
        let client = try TestClient(peer.endpoint)
        guard case .closed(.protocolError) = client.nextFinal() else {
            Issue.record("not closed")
            return
        }
        #expect(told.wait(timeoutMillis: 20_000))
    }

    @Test func `gives a silent peer up after a ping`() throws {
        let asked = try EventSignal()
        let peer = try TestPeer { stream in
            stream.send(.settings())
            stream.read(until: .data)
            if stream.read(until: .ping).contains(where: { $0.kind == .ping }) { asked.raise() }
            stream.readToEnd()
        }
        let client = try TestClient(peer.endpoint)
        #expect(client.next() == .streamLimitChanged(0x7FFF_FFFF))
        #expect(client.submit(1))
        client.connection.flush(nowMillis: 0)
        #expect(client.connection.nextDeadlineMillis == 5_000)
        client.connection.tick(nowMillis: 4_999)
        client.connection.tick(nowMillis: 5_000)
        client.connection.flush(nowMillis: 5_000)
        #expect(asked.wait(timeoutMillis: 20_000))
        #expect(client.connection.nextDeadlineMillis == 10_000)
        client.connection.tick(nowMillis: 10_000)
        #expect(client.nextFinal() == .lost(tag: 1, .closed))
        #expect(client.nextFinal() == .closed(.silent))
    }

    @Test func `resets a request at its deadline and keeps the connection`() throws {
        let peer = try TestPeer { stream in
            stream.send(.settings())
            let frames = stream.read(until: .rstStream)
            #expect(frames.last == .reset(1, ErrorCode.cancel))
            stream.read(until: .headers, count: 2)
            stream.send(.status(3, 200))
            stream.readToEnd()
        }
        var settings = ClientSettings()
        settings.requestTimeoutMillis = 1_000
        let client = try TestClient(peer.endpoint, settings: settings)
        #expect(client.submit(1))
        client.connection.flush(nowMillis: 0)
        #expect(client.connection.nextDeadlineMillis == 1_000)
        client.connection.tick(nowMillis: 1_000)
        #expect(client.nextFinal() == .lost(tag: 1, .deadline))
        #expect(client.submit(2, now: 1_000))
        #expect(client.nextFinal() == .response(tag: 2, status: 200, retryAfterSeconds: -1))
    }
}
