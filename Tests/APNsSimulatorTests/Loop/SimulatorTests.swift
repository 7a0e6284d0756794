import BlockingTestSupport
import Cryptography
import EventLoop
import HTTP2
import Testing

@testable import APNsSimulator

@Suite(.blocks)
struct SimulatorTests {
    @Test func `accepts a push and writes down what it was`() throws {
        let simulation = try Simulation()
        let client = try simulation.client()
        #expect(try client.send(simulation.request) == .accepted)
        let answer = try #require(simulation.simulator.answers().first)
        #expect(answer.connection == 1)
        #expect(answer.stream == 1)
        #expect(answer.status == 200)
        #expect(answer.token == TestRequest.deviceToken)
        #expect(answer.headers["apns-topic"] == "com.example.app")
        #expect(answer.headers["authorization"] == nil)
        #expect(answer.keyID == "KEYIDENT01")
        #expect(answer.teamID == "TEAMIDENT1")
        #expect(answer.body == simulation.request.body)
    }

    @Test func `allows one stream until the first good token, then a thousand`() throws {
        let simulation = try Simulation()
        let client = try simulation.client()
        let forged = try TestToken(iat: Clock.wallMillis() / 1000).signed(by: P256.SigningKey())
        _ = try client.send(simulation.request.with("authorization", "bearer \(forged)"))
        #expect(client.streamLimits.filter { $0 != 1 } == [])
        let second = try simulation.client()
        _ = try second.send(simulation.request)
        try second.run(until: { $0.streamLimits.contains(1000) })
        #expect(second.streamLimits.last == 1000)
    }

    @Test func `lifts the limit for a good token also where the push is refused`() throws {
        let simulation = try Simulation()
        let client = try simulation.client()
        #expect(try client.send(simulation.request.with("apns-topic", nil)) == .rejected(400, "MissingTopic"))
        try client.run(until: { $0.streamLimits.contains(1000) })
    }

    @Test func `answers a thousand streams at once`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.submit(1000, on: client)
        try client.run(until: { $0.outcomes.count == 1001 })
        #expect(client.outcomes.values.allSatisfy { $0 == .accepted })
        let summary = simulation.simulator.summary()
        #expect(summary.requests == 1001)
        #expect(summary.accepted == 1001)
        #expect(summary.distinctApnsIDs == 1)
        #expect(summary.duplicateAccepted == 1000)
        #expect(summary.connections == 1)
    }

    @Test func `counts answers by reason`() throws {
        let simulation = try Simulation { options in
            options.devices = [
                SimulatedDevice(token: "dead", topic: "com.example.app", unregisteredAtMillis: 1_799_000_000_123)
            ]
        }
        let client = try simulation.trustedClient()
        let gone = try client.send(simulation.request.with(":path", "/3/device/dead"), tag: 2)
        let body = #"{"reason":"Unregistered","timestamp":1799000000123}"#
        #expect(gone == .answer(status: 410, body: body, retryAfter: -1))
        #expect(try client.send(simulation.request, tag: 3) == .rejected(400, "BadDeviceToken"))
        let summary = simulation.simulator.stop()
        #expect(summary.accepted == 0)
        #expect(summary.rejected == ["BadDeviceToken": 2, "Unregistered": 1])
    }

    @Test func `makes ids in upper case where none was given`() throws {
        let simulation = try Simulation { $0.environment = .sandbox }
        let client = try simulation.trustedClient()
        for tag in 2...50 { _ = try client.send(simulation.request.with("apns-id", nil), tag: UInt32(tag)) }
        #expect(simulation.simulator.summary().distinctApnsIDs == 50)
        #expect(simulation.simulator.summary().duplicateAccepted == 0)
    }

    @Test func `refuses a body without end and goes on`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        let huge = simulation.request.with(body: String(repeating: "x", count: 1_000_000))
        #expect(try client.send(huge, tag: 2) == .rejected(413, "PayloadTooLarge"))
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
    }

    @Test func `closes connections beyond its bound`() throws {
        let simulation = try Simulation { $0.connectionsMax = 1 }
        let client = try simulation.client()
        #expect(try client.send(simulation.request) == .accepted)
        #expect(throws: (any Error).self) { try simulation.client() }
        #expect(try client.send(simulation.request, tag: 2) == .accepted)
    }

    @Test func `counts the same pushes from many connections`() throws {
        let simulation = try Simulation()
        for number in 1...20 {
            let client = try simulation.client()
            #expect(try client.send(simulation.request.to(device: number)) == .accepted)
        }
        #expect(simulation.simulator.summary().connections == 20)
        #expect(simulation.simulator.summary().accepted == 20)
    }

    @Test func `keeps its numbers after the end`() throws {
        let simulation = try Simulation()
        _ = try simulation.trustedClient()
        #expect(simulation.simulator.stop().accepted == 1)
        #expect(simulation.simulator.summary().accepted == 1)
        #expect(simulation.simulator.answers().count == 1)
        simulation.simulator.setFaults([])
        #expect(!simulation.simulator.wait(accepted: 2, timeoutMillis: 1))
        #expect(simulation.simulator.stop().accepted == 1)
    }

    @Test func `ends without having been started`() throws {
        let simulator = try APNsSimulator()
        #expect(simulator.port != 0)
        #expect(simulator.stop() == SimulatorSummary())
    }

    @Test func `tells when a number of pushes was accepted`() throws {
        let simulation = try Simulation()
        #expect(!simulation.simulator.wait(accepted: 1, timeoutMillis: 1))
        _ = try simulation.trustedClient()
        #expect(simulation.simulator.wait(accepted: 1, timeoutMillis: 20_000))
        #expect(simulation.simulator.wait(requests: 1, timeoutMillis: 20_000))
    }

    @Test func `refuses a port that is taken`() throws {
        let simulation = try Simulation()
        var options = SimulatorOptions()
        options.listen = simulation.simulator.address
        #expect {
            try APNsSimulator(options)
        } throws: { "\($0)".contains("Address already in use") }
    }
}
