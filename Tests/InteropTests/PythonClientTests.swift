import APNsSimulator
import BlockingTestSupport
import Cryptography
import Foundation
import Testing

@Suite(.blocks, .serialized, .enabled(if: Tool.hasPython, Tool.pythonComment))
struct PythonClientTests {
    private struct Push: Encodable {
        var token: String
        var id: String
        var priority = 5
    }

    private struct AioapnsTask: Encodable {
        var port: UInt16
        var ca: String
        var key: String
        var keyID = "KEYIDENT01"
        var teamID = "TEAMIDENT1"
        var topic = InteropSimulation.topic
        var pushes: [Push]
    }

    private struct AioapnsResult: Decodable, Equatable {
        var id: String
        var status: Int
        var reason: String?
        var timestamp: Int64?
    }

    private func aioapns(_ simulation: InteropSimulation, key: String, _ pushes: [Push]) throws -> [AioapnsResult] {
        let task = AioapnsTask(
            port: simulation.simulator.port,
            ca: simulation.simulator.caFile,
            key: key,
            pushes: pushes
        )
        return try Tool.client("aioapns_client", task, as: [AioapnsResult].self)
    }

    @Test func `answers aioapns, which offers no protocol in TLS`() throws {
        let simulation = try InteropSimulation()
        var pushes = (0..<200).map { _ in Push(token: InteropSimulation.known, id: UUID().uuidString.lowercased()) }
        pushes.append(Push(token: InteropSimulation.gone, id: UUID().uuidString.lowercased()))
        pushes.append(Push(token: InteropSimulation.other, id: UUID().uuidString.lowercased()))
        pushes.append(Push(token: "zz", id: UUID().uuidString.lowercased()))
        pushes.append(Push(token: InteropSimulation.known, id: UUID().uuidString.lowercased(), priority: 10))
        let results = try aioapns(simulation, key: try simulation.key.pem(), pushes)
        #expect(results.map(\.id) == pushes.map(\.id))
        #expect(results[..<200].allSatisfy { $0.status == 200 && $0.reason == nil })
        #expect(
            results[200...].map(\.reason)
                == ["Unregistered", "DeviceTokenNotForTopic", "BadDeviceToken", "BadPriority"]
        )
        #expect(results[200].status == 410)
        #expect(results[200].timestamp == 1_799_000_000_123)
        let answers = simulation.simulator.answers()
        #expect(answers.count == 204)
        #expect(answers[0].keyID == "KEYIDENT01")
        #expect(String(decoding: answers[0].body, as: UTF8.self).contains("東京駅"))
    }

    @Test func `refuses aioapns with a wrong key`() throws {
        let simulation = try InteropSimulation()
        let stranger = try InteropSimulation()
        let id = UUID().uuidString.lowercased()
        let results = try aioapns(
            simulation,
            key: try stranger.key.pem(),
            [Push(token: InteropSimulation.known, id: id)]
        )
        #expect(results == [AioapnsResult(id: id, status: 403, reason: "InvalidProviderToken")])
    }

    private struct HTTPXTask: Encodable {
        struct Request: Encodable {
            var method = "POST"
            var path = "/3/device/\(InteropSimulation.known)"
            var headers: [String: String]
            var body = InteropSimulation.body
        }

        var port: UInt16
        var ca: String
        var requests: [Request]
    }

    private struct HTTPXResult: Decodable {
        var version: String
        var status: Int
        var headers: [String: String]
        var body: String
    }

    @Test func `answers httpx`() throws {
        let simulation = try InteropSimulation()
        let id = "3e8ed0f6-6a2c-5f6d-9a52-2e2b1f8f9a11"
        func request(_ name: String, _ value: String?) -> HTTPXTask.Request {
            var headers = simulation.headers
            headers[name] = value
            return HTTPXTask.Request(headers: headers)
        }
        var requests = [HTTPXTask.Request(headers: simulation.headers)]
        requests.append(request("apns-id", id))
        requests.append(HTTPXTask.Request(method: "GET", headers: simulation.headers))
        requests.append(HTTPXTask.Request(path: "/", headers: simulation.headers))
        requests.append(request("apns-id", "1-1-1-1-1"))
        requests.append(request("apns-topic", nil))
        requests.append(request("authorization", nil))
        requests.append(HTTPXTask.Request(headers: simulation.headers, body: String(repeating: "x", count: 4097)))
        requests += (0..<50).map { _ in HTTPXTask.Request(headers: simulation.headers) }
        let task = HTTPXTask(port: simulation.simulator.port, ca: simulation.simulator.caFile, requests: requests)
        let results = try Tool.client("httpx_client", task, as: [HTTPXResult].self)
        #expect(results.allSatisfy { $0.version == "HTTP/2" })
        #expect(results[..<8].map(\.status) == [200, 200, 405, 404, 400, 400, 403, 413])
        let reasons = results[2..<8].map(\.body)
        #expect(
            reasons
                == [
                    "MethodNotAllowed", "BadPath", "BadMessageId", "MissingTopic", "MissingProviderToken",
                    "PayloadTooLarge",
                ].map { #"{"reason":"\#($0)"}"# }
        )
        #expect(results[2..<8].allSatisfy { $0.headers["content-type"] == "application/json" })
        #expect(results[1].headers["apns-id"] == id)
        let made = try #require(results[0].headers["apns-id"])
        #expect(UUID(uuidString: made)?.uuidString == made)
        #expect(results[0].body.isEmpty)
        #expect(results[8...].allSatisfy { $0.status == 200 })
    }

    private struct H2Task: Encodable {
        struct Push: Encodable {
            var headers: [[String]]
            var body = InteropSimulation.body
        }

        var port: UInt16
        var ca: String
        var alpn = true
        var tls = "1.3"
        var pushes: [Push]
    }

    private struct H2Event: Decodable {
        var event: String
        var tls: String?
        var alpn: String?
        var settings: [String: Int]?
        var stream: Int?
        var headers: [String: String]?
        var data: String?
        var ends: Bool?
        var last: Int?
        var code: Int?
    }

    private func h2(_ simulation: InteropSimulation, _ count: Int, _ change: (inout H2Task) -> Void) throws -> [H2Event]
    {
        let pseudo = [
            [":method", "POST"], [":scheme", "https"], [":path", "/3/device/\(InteropSimulation.known)"],
            [":authority", "localhost"],
        ]
        let push = H2Task.Push(headers: pseudo + simulation.headers.map { [$0.key, $0.value] })
        var task = H2Task(
            port: simulation.simulator.port,
            ca: simulation.simulator.caFile,
            pushes: .init(repeating: push, count: count)
        )
        change(&task)
        return try Tool.client("h2_client", task, as: [H2Event].self)
    }

    @Test(arguments: [true, false], ["1.2", "1.3"])
    func `speaks with the package h2 over each TLS, with and without ALPN`(alpn: Bool, tls: String) throws {
        let simulation = try InteropSimulation()
        let events = try h2(simulation, 300) { task in
            task.alpn = alpn
            task.tls = tls
        }
        #expect(events[0].tls == "TLSv\(tls)")
        #expect(events[0].alpn == (alpn ? "h2" : nil))
        let limits = events.compactMap { $0.settings?["3"] }
        #expect(limits == [1, 1000])
        let answers = events.filter { $0.event == "headers" }
        #expect(answers.count == 300)
        #expect(answers.allSatisfy { $0.headers?[":status"] == "200" && $0.ends == true })
    }

    @Test func `ends an error in one frame of data`() throws {
        let simulation = try InteropSimulation()
        let events = try h2(simulation, 1) { $0.pushes[0].headers.removeAll { $0[0] == "apns-topic" } }
        let answer = events.filter { $0.event == "headers" || $0.event == "data" }
        #expect(answer.map(\.event) == ["headers", "data"])
        #expect(answer.map(\.ends) == [false, true])
        #expect(answer[1].data == #"{"reason":"MissingTopic"}"#)
    }

    @Test func `says in a GOAWAY why and up to where`() throws {
        let simulation = try InteropSimulation()
        simulation.simulator.setFaults([
            FaultRule { match, then in
                match.afterSeconds = 0
                then.goaway = FaultRule.GoAway(unanswered: 1, reason: "Shutdown")
            }
        ])
        let events = try h2(simulation, 1) { _ in }
        let goAway = try #require(events.first { $0.event == "goaway" })
        #expect(goAway.code == 0)
        #expect(goAway.last == 0)
        #expect(goAway.data == #"{"reason":"Shutdown"}"#)
        #expect(simulation.simulator.summary().accepted == 0)
    }
}
