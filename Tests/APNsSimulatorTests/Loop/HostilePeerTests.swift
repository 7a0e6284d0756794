import BlockingTestSupport
import EventLoop
import HTTP2
import Testing

@testable import APNsSimulator

/// Whatever a peer sends, the simulator ends at most that connection, and goes on with the others.
@Suite(.blocks)
struct HostilePeerTests {
    private let simulation: Simulation

    init() throws { simulation = try Simulation() }

    /// Writes bytes, waits for the end of the connection, and sees that a good push still passes.
    private func isEnded(_ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) throws {
        let peer = try RawPeer(simulation.simulator)
        peer.write(bytes)
        #expect(peer.readToEnd() != nil, sourceLocation: location)
        try isServing(location)
    }

    private func isServing(_ location: SourceLocation = #_sourceLocation) throws {
        let outcome = try simulation.client().send(simulation.request)
        #expect(outcome == .accepted, sourceLocation: location)
    }

    @Test func `ends a connection that speaks something else`() throws {
        try isEnded(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        try isEnded(.init(repeating: 0, count: 100_000))
        try isEnded(.init(repeating: 0xFF, count: 100))
    }

    @Test(
        arguments: [
            // A frame on a stream where it has no place, or of a size that it cannot have.
            RawPeer.frame(type: 0, stream: 0, [1]), RawPeer.frame(type: 1, flags: 4, stream: 0),
            RawPeer.frame(type: 1, flags: 4, stream: 2), RawPeer.frame(type: 4, stream: 1),
            RawPeer.frame(type: 4, [1, 2, 3]), RawPeer.frame(type: 6, [1]), RawPeer.frame(type: 8, [0, 0, 0, 0]),
            RawPeer.frame(type: 3, stream: 1, [0, 0, 0, 8]), RawPeer.frame(type: 9, flags: 4, stream: 1, [0]),
            RawPeer.frame(type: 5, stream: 1, [0, 0, 0, 2]), RawPeer.frame(type: 7, [0]),
            // A frame larger than was allowed, and SETTINGS out of range.
            [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1], RawPeer.frame(type: 4, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
            RawPeer.frame(type: 4, [0, 5, 0, 0, 0, 0]),
            // Header blocks that are none: an index out of range, a table too large, a string without end.
            RawPeer.frame(type: 1, flags: 4, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
            RawPeer.frame(type: 1, flags: 4, stream: 1, [0x3F, 0xE1, 0xFF, 0x03]),
            RawPeer.frame(type: 1, flags: 4, stream: 1, [0, 0x7F, 0xFF, 0xFF, 0xFF, 0x0F]),
        ]
    )
    func `ends a connection with a frame against the rules`(frame: [UInt8]) throws {
        try isEnded(RawPeer.preface + RawPeer.settings + frame)
    }

    @Test func `ends a header block without end`() throws {
        var bytes = RawPeer.preface + RawPeer.settings
        bytes += RawPeer.frame(type: 1, flags: 0, stream: 1, RawPeer.block([(":method", "POST")]))
        let filler = RawPeer.block([("x-filler", String(repeating: "f", count: 8000))])
        for _ in 0..<200 { bytes += RawPeer.frame(type: 9, flags: 0, stream: 1, filler) }
        try isEnded(bytes)
    }

    @Test(arguments: [4, 6])
    func `bounds what it owes to a peer that asks and never reads`(type: UInt8) throws {
        let peer = try RawPeer(simulation.simulator)
        peer.write(RawPeer.preface + RawPeer.settings)
        let ask = RawPeer.frame(type: type, type == 6 ? .init(repeating: 7, count: 8) : [])
        var many: [UInt8] = []
        for _ in 0..<200_000 { many += ask }
        peer.write(many)
        try isServing()
    }

    @Test func `resets a request with too many header fields and goes on`() throws {
        let client = try simulation.trustedClient()
        let many = simulation.request.with("apns-collapse-id", String(repeating: "c", count: 9000))
        #expect(try client.send(many, tag: 2) == .lost(.reset(11)))
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
        #expect(simulation.simulator.summary().requests == 2)
    }

    @Test func `forgets requests that are reset before their end`() throws {
        let peer = try RawPeer(simulation.simulator)
        var bytes = RawPeer.preface + RawPeer.settings
        for number in 0..<500 {
            let stream = UInt32(2 * number + 1)
            bytes += RawPeer.frame(type: 1, flags: 4, stream: stream, RawPeer.block(simulation.request.fields))
            bytes += RawPeer.frame(type: 3, stream: stream, [0, 0, 0, 8])
        }
        peer.write(bytes)
        try isServing()
        #expect(simulation.simulator.summary().requests == 1)
    }

    @Test func `drops the answer of a request that is reset while it waits`() throws {
        let client = try TestClient(simulation.simulator, requestTimeoutMillis: 50)
        simulation.setFault { match, then in
            match.count = 1
            then.delayMillis = 100
        }
        #expect(try client.send(simulation.request) == .lost(.deadline))
        #expect(try simulation.client().send(simulation.request) == .accepted)
        #expect(simulation.simulator.wait(requests: 2, timeoutMillis: 20_000))
        #expect(simulation.simulator.summary().accepted == 1)
    }

    @Test func `bears a client that goes away in the middle of anything`() throws {
        let whole = RawPeer.push(simulation.request)
        for count in stride(from: 0, to: whole.count, by: 7) {
            let peer = try RawPeer(simulation.simulator)
            peer.write(Array(whole[..<count]))
        }
        try isServing()
        #expect(simulation.simulator.summary().accepted == 1)
    }

    @Test func `takes bytes one at a time`() throws {
        let peer = try RawPeer(simulation.simulator)
        for byte in RawPeer.push(simulation.request) { peer.write([byte]) }
        #expect(simulation.simulator.wait(accepted: 1, timeoutMillis: 20_000))
    }

    @Test func `bears bytes that were changed at random`() throws {
        var random = SplitMix(seed: 42)
        let whole = RawPeer.push(simulation.request)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // Behind the preface, where the frames are.
                bytes[Int.random(in: 24..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let peer = try RawPeer(simulation.simulator)
            peer.write(bytes)
        }
        try isServing()
    }

    @Test func `answers a peer with a tiny window`() throws {
        let peer = try RawPeer(simulation.simulator)
        // SETTINGS_INITIAL_WINDOW_SIZE 3: the body of a rejection comes as the window grows.
        let settings = RawPeer.frame(type: 4, [0, 4, 0, 0, 0, 3])
        let request = simulation.request.with("apns-topic", nil)
        peer.write(
            RawPeer.preface + settings + RawPeer.frame(type: 1, flags: 4, stream: 1, RawPeer.block(request.fields))
                + RawPeer.frame(type: 0, flags: 1, stream: 1, request.body)
        )
        #expect(simulation.simulator.wait(requests: 1, timeoutMillis: 20_000))
        peer.write(RawPeer.frame(type: 8, stream: 1, [0, 0, 1, 0]))
        // GOAWAY, so that the simulator ends once it has answered.
        peer.write(RawPeer.frame(type: 7, [0, 0, 0, 0, 0, 0, 0, 0]))
        let bytes = try #require(peer.readToEnd())
        #expect(bytes.count { $0 == UInt8(ascii: "{") } == 1)
        #expect(bytes.contains(UInt8(ascii: "}")))
    }
}
