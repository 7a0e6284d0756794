import BlockingTestSupport
import HTTP2
import Testing

@testable import APNsSimulator

@Suite(.blocks)
struct FaultTests {
    @Test func `answers with the status and reason of a fault, and stops when told`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { _, then in
            then.status = 503
            then.reason = "ServiceUnavailable"
            then.retryAfter = 2
        }
        let body = #"{"reason":"ServiceUnavailable"}"#
        #expect(try client.send(simulation.request, tag: 2) == .answer(status: 503, body: body, retryAfter: 2))
        simulation.simulator.setFaults([])
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
        #expect(simulation.simulator.summary().rejected == ["ServiceUnavailable": 1])
    }

    @Test func `can answer without a body and with a reason of its own`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { _, then in
            then.status = 500
            then.reason = ""
        }
        #expect(try client.send(simulation.request, tag: 2) == .answer(status: 500, body: "", retryAfter: -1))
        simulation.setFault { _, then in then.reason = "MoonPhase" }
        #expect(try client.send(simulation.request, tag: 3) == .rejected(400, "MoonPhase"))
        #expect(simulation.simulator.summary().rejected == ["500": 1, "MoonPhase": 1])
    }

    @Test func `delays an answer behind later ones`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { match, then in
            match.token = TestRequest.device(1)
            then.delayMillis = 200
        }
        simulation.submit(2, on: client)
        try client.run(until: { $0.outcomes[2] != nil })
        #expect(client.outcomes[1] == nil)
        try client.run(until: { $0.outcomes[1] != nil })
        #expect(client.outcomes[1] == .accepted)
        #expect(
            simulation.simulator.answers().map(\.token).suffix(2) == [TestRequest.device(2), TestRequest.device(1)]
        )
    }

    @Test func `refuses a stream`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { match, then in
            match.count = 1
            then.refuse = true
        }
        #expect(try client.send(simulation.request, tag: 2) == .refused)
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
        #expect(simulation.simulator.summary().requests == 3)
        #expect(simulation.simulator.summary().accepted == 2)
    }

    @Test(arguments: [0, 1, 3, 10, 100])
    func `leaves the highest streams unanswered after a GOAWAY`(unanswered: Int) throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { match, then in
            match.token = TestRequest.device(1)
            then.goaway = FaultRule.GoAway(unanswered: unanswered, reason: "Shutdown")
        }
        simulation.submit(10, on: client)
        try client.run(until: { $0.closed != nil })
        #expect(client.goAway?.data == #"{"reason":"Shutdown"}"#)
        #expect(client.goAway?.code == 0)
        let refused = client.outcomes.values.count { $0 == .refused }
        #expect(refused == min(unanswered, 10))
        #expect(client.outcomes.values.count { $0 == .accepted } == 11 - refused)
        #expect(simulation.simulator.summary().accepted == 11 - refused)
        #expect(client.outcomes.count == 11)
    }

    @Test func `finishes delayed answers after a GOAWAY`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.simulator.setFaults([
            FaultRule { match, then in
                match.token = TestRequest.device(5)
                then.goaway = FaultRule.GoAway(unanswered: 0)
            },
            FaultRule { _, then in then.delayMillis = 100 },
        ])
        simulation.submit(5, on: client)
        try client.run(until: { $0.closed != nil })
        #expect(client.goAway?.data == "")
        #expect(client.outcomes.values.count { $0 == .accepted } == 6)
    }

    @Test func `closes a connection without a word`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { _, then in then.close = true }
        simulation.submit(3, on: client)
        try client.run(until: { $0.closed != nil })
        #expect(client.goAway == nil)
        #expect(client.outcomes.count == 4)
        #expect(client.outcomes.values.count { $0 == .accepted } == 1)
        simulation.simulator.setFaults([])
        #expect(try simulation.client().send(simulation.request) == .accepted)
    }

    @Test func `falls silent for good on one connection and serves the others`() throws {
        let simulation = try Simulation()
        let client = try TestClient(simulation.simulator, requestTimeoutMillis: 300)
        _ = try client.send(simulation.request)
        simulation.setFault { match, then in
            match.count = 1
            then.blackHole = true
        }
        #expect(try client.send(simulation.request, tag: 2) == .lost(.deadline))
        #expect(try client.send(simulation.request, tag: 3) == .lost(.deadline))
        #expect(client.closed == nil)
        #expect(try simulation.client().send(simulation.request) == .accepted)
        #expect(simulation.simulator.summary().requests == 3)
    }

    @Test func `changes the limit of streams while it answers`() throws {
        let simulation = try Simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { _, then in
            then.settings = FaultRule.Settings()
            then.settings?.maxConcurrentStreams = 3
            then.settings?.initialWindowSize = 10
        }
        #expect(try client.send(simulation.request, tag: 2) == .accepted)
        try client.run(until: { $0.connection.streamLimit == 3 })
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
    }
}
