import BlockingTestSupport
import EventLoop
import HTTP2
import Testing

@testable import APNsSimulator

/// Rules as they are written in a file, and what a client sees of them.
@Suite(.blocks)
struct FaultWireTests {
    @Test(
        arguments: [
            (#"{"status":410,"timestamp":5}"#, 410, #"{"reason":"Unregistered","timestamp":5}"#, -1),
            (#"{"reason":"ExpiredToken","timestamp":7}"#, 410, #"{"reason":"ExpiredToken","timestamp":7}"#, -1),
            (#"{"status":429,"retryAfter":3}"#, 429, #"{"reason":"TooManyRequests"}"#, 3),
            (#"{"reason":"Shutdown"}"#, 503, #"{"reason":"Shutdown"}"#, -1),
            (#"{"status":400,"reason":"MoonPhase"}"#, 400, #"{"reason":"MoonPhase"}"#, -1),
            (#"{"status":500,"reason":""}"#, 500, "", -1), (#"{"status":418}"#, 418, "", -1),
            (#"{"status":200}"#, 200, "", -1), (#"{"retryAfter":9,"delayMillis":1}"#, 200, "", 9), ("{}", 200, "", -1),
        ] as [(String, UInt16, String, Int32)]
    )
    func `answers as it is told`(then: String, status: UInt16, body: String, retryAfter: Int32) throws {
        let simulation = try Simulation()
        try simulation.setFaults(#"{"then":\#(then)}"#)
        let outcome = try simulation.client().send(simulation.request)
        #expect(outcome == .answer(status: status, body: body, retryAfter: retryAfter))
    }

    @Test func `can accept what would be refused`() throws {
        let simulation = try Simulation { $0.devices = [] }
        try simulation.setFaults(#"{"match":{"count":1},"then":{"status":200}}"#)
        let client = try simulation.client()
        #expect(try client.send(simulation.request, tag: 1) == .accepted)
        #expect(try client.send(simulation.request, tag: 2) == .rejected(400, "BadDeviceToken"))
    }

    @Test func `meets one device alone, in either case`() throws {
        let simulation = try Simulation()
        let token = TestRequest.deviceToken.uppercased()
        try simulation.setFaults(#"{"match":{"token":"\#(token)"},"then":{"status":503}}"#)
        let client = try simulation.client()
        #expect(try client.send(simulation.request.to(device: 1), tag: 1) == .accepted)
        #expect(try client.send(simulation.request, tag: 2) == .rejected(503, "ServiceUnavailable"))
    }

    @Test func `meets a share and a number of requests`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        try simulation.setFaults(
            """
            {"match":{"count":10},"then":{"reason":"Shutdown"}}
            {"match":{"share":0.25},"then":{"status":500}}
            """
        )
        simulation.submit(900, on: client)
        try client.run(until: { $0.outcomes.count == 901 })
        let rejected = simulation.simulator.summary().rejected
        #expect(rejected["Shutdown"] == 10)
        #expect((170...280).contains(rejected["InternalServerError"] ?? 0))
    }

    @Test(arguments: [#"{"afterSeconds":3600}"#, #"{"forSeconds":0}"#, #"{"count":0}"#, #"{"share":0}"#])
    func `leaves alone what a rule does not match`(match: String) throws {
        let simulation = try Simulation()
        try simulation.setFaults(#"{"match":\#(match),"then":{"close":true}}"#)
        #expect(try simulation.client().send(simulation.request) == .accepted)
    }

    @Test func `begins after its seconds and ends after some more`() throws {
        let simulation = try Simulation()
        let client = try simulation.client()
        try simulation.setFaults(#"{"match":{"afterSeconds":0.1,"forSeconds":0.1},"then":{"status":500}}"#)
        var tag: UInt32 = 0
        func send(until expected: TestClient.Outcome) throws {
            let deadline = Clock.monotonicMillis() + TestClient.timeoutMillis
            repeat {
                tag += 1
            } while try client.send(simulation.request, tag: tag) != expected
                && Clock.monotonicMillis() < deadline
            #expect(client.outcomes[tag] == expected)
        }
        #expect(try client.send(simulation.request, tag: 1_000_000) == .accepted)
        try send(until: .rejected(500, "InternalServerError"))
        try send(until: .accepted)
    }

    @Test func `announces the settings that it is told`() throws {
        let simulation = try Simulation()
        try simulation.setFaults(
            #"{"then":{"settings":{"maxConcurrentStreams":7,"initialWindowSize":8},"goaway":{"unanswered":0}}}"#
        )
        let peer = try RawPeer(simulation.simulator)
        peer.write(RawPeer.push(simulation.request))
        let bytes = try #require(peer.readToEnd())
        func setting(_ number: UInt8, _ value: UInt8) -> [UInt8] {
            RawPeer.frame(type: 4, [0, number, 0, 0, 0, value])
        }
        #expect(bytes.firstRange(of: setting(3, 7)) != nil)
        #expect(bytes.firstRange(of: setting(4, 8)) != nil)
    }

    @Test func `says nothing any more, not even to a PING`() throws {
        let simulation = try Simulation()
        try simulation.setFaults(#"{"match":{"count":1},"then":{"blackHole":true}}"#)
        let peer = try RawPeer(simulation.simulator)
        peer.write(RawPeer.push(simulation.request))
        #expect(simulation.simulator.wait(requests: 1, timeoutMillis: 20_000))
        peer.write(RawPeer.frame(type: 6, Array("geopush!".utf8)))
        // What the simulator does with the next connection comes after what it does with this one.
        #expect(try simulation.client().send(simulation.request) == .accepted)
        simulation.simulator.stop()
        let bytes = try #require(peer.readToEnd())
        #expect(bytes.firstRange(of: Array("geopush!".utf8)) == nil)
    }
}
