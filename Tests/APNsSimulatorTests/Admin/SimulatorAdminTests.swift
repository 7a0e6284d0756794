import BlockingTestSupport
import HTTP2
import HTTPTestSupport
import Testing

@testable import APNsSimulator

/// The admin address over real connections, beside pushes on the other one.
@Suite(.blocks)
struct SimulatorAdminTests {
    private let simulation: Simulation
    private let admin: HTTPClient

    init() throws {
        simulation = try Simulation { $0.admin = ListenAddress(host: "127.0.0.1", port: 0) }
        admin = HTTPClient(port: try #require(simulation.simulator.adminAddress).port)
    }

    private func put(_ rules: String) throws -> HTTPClient.Answer {
        try admin.send("PUT", "/faults", body: Array(rules.utf8))
    }

    @Test func `stands in the announcement`() throws {
        let address = try #require(simulation.simulator.adminAddress)
        #expect(address.port != 0)
        #expect(simulation.simulator.announcement.hasSuffix(#","admin":"127.0.0.1:\#(address.port)"}"#))
        #expect(try !Simulation().simulator.announcement.contains("admin"))
    }

    @Test func `sets faults and removes them`() throws {
        let client = try simulation.trustedClient()
        let set = try put(#"{"then":{"status":503}}"# + "\n\n" + #"{"then":{"delayMillis":1}}"# + "\n")
        #expect(set.status == 200)
        #expect(set.body == "{\"rules\":2}\n")
        #expect(try client.send(simulation.request, tag: 2) == .rejected(503, "ServiceUnavailable"))
        #expect(try admin.send("DELETE", "/faults").status == 200)
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
    }

    @Test func `replaces all faults`() throws {
        let client = try simulation.trustedClient()
        _ = try put(#"{"then":{"status":503}}"#)
        _ = try put(#"{"then":{"reason":"Shutdown"}}"#)
        #expect(try client.send(simulation.request, tag: 2) == .rejected(503, "Shutdown"))
        _ = try put("")
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
    }

    @Test func `gives the rules back as they are set again`() throws {
        let rules = """
            {"match":{"afterSeconds":0.5,"count":3,"forSeconds":2,"share":0.25,"token":"ab\\/\\"c"},\
            "then":{"blackHole":true,"close":true,"delayMillis":100,"goaway":{"reason":"Shutdown","unanswered":4},\
            "reason":"TooManyRequests","refuse":true,"retryAfter":2,\
            "settings":{"initialWindowSize":8,"maxConcurrentStreams":7},"status":429,"timestamp":5}}
            {"then":{}}

            """
        #expect(try admin.get("/faults").body == "")
        #expect(try put(rules).status == 200)
        let answer = try admin.get("/faults")
        #expect(answer.status == 200)
        #expect(answer.header("content-type") == "application/x-ndjson")
        #expect(answer.body == rules.replacing("\\/", with: "/"))
        #expect(try put(answer.body).status == 200)
        #expect(try admin.get("/faults").body == answer.body)
    }

    @Test(
        arguments: [
            (#"{"then":{"stauts":500}}"#, #"faults, line 2: then.stauts: unknown key, expected one of status"#),
            (#"{"then":{"status":99}}"#, "faults, line 2: then.status: expected 200...599"),
            ("nonsense", "faults, line 2: "),
        ]
    )
    func `refuses a malformed rule, says why, and changes nothing`(line: String, expected: String) throws {
        _ = try put(#"{"then":{"reason":"Shutdown"}}"#)
        let answer = try put(#"{"then":{"close":true}}"# + "\n" + line)
        #expect(answer.status == 400)
        #expect(answer.header("content-type") == "application/json")
        #expect(answer.body.hasPrefix(#"{"error":"\#(expected)"#), "\(answer.body)")
        #expect(try admin.get("/faults").body == "{\"then\":{\"reason\":\"Shutdown\"}}\n")
        #expect(try simulation.client().send(simulation.request) == .rejected(503, "Shutdown"))
    }

    @Test func `counts so far`() throws {
        _ = try simulation.trustedClient()
        let answer = try admin.get("/summary")
        #expect(answer.status == 200)
        #expect(answer.header("content-type") == "application/json")
        #expect(answer.body == simulation.simulator.summary().json + "\n")
        #expect(answer.body.hasPrefix(#"{"requests":1,"accepted":1,"#))
    }

    @Test func `knows no other path or method`() throws {
        #expect(try admin.get("/").status == 404)
        #expect(try admin.send("POST", "/faults").header("allow") == "get, put, delete")
        #expect(try admin.send("PUT", "/summary").header("allow") == "get")
    }

    @Test func `ends with the simulator`() throws {
        simulation.simulator.stop()
        #expect(simulation.simulator.adminAddress == nil)
        #expect(throws: (any Error).self) { try admin.get("/summary") }
    }

    @Test func `refuses an admin address that is taken`() throws {
        let taken = try #require(simulation.simulator.adminAddress)
        #expect {
            try Simulation { $0.admin = taken }
        } throws: { "\($0)".hasPrefix("listen on \(taken) for administration: ") }
    }
}
