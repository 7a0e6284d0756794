import Cryptography
import EventLoop
import FoundationEssentials
import Glibc
import HTTP2
import Observability
import Synchronization
import Testing

@testable import APNsSimulator

struct RequestLogTests {
    private struct Line: Decodable {
        let at: String
        let connection: Int
        let stream: Int
        let token: String
        let status: Int
        let reason: String?
        let headers: [String: String]
        let kid: String?
        let iss: String?
        let iat: Int64?
        let body: String
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lines() throws -> [Line] {
        let bytes = try #require(folder.read("log"))
        return try bytes.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Line.self, from: Data($0))
        }
    }

    private func simulation() throws -> Simulation {
        let path = folder.path + "/log"
        return try Simulation { $0.logPath = path }
    }

    @Test func `holds a line for each answered request`() throws {
        let simulation = try simulation()
        let client = try simulation.trustedClient()
        let japanese = #"{"aps":{"content-available":1},"locationId":"東京駅"}"#
        _ = try client.send(simulation.request.with(body: japanese).with("apns-priority", "1"), tag: 2)
        _ = try client.send(simulation.request.with("apns-topic", nil), tag: 3)
        _ = try client.send(simulation.request.with("authorization", nil).with("apns-id", nil), tag: 4)
        simulation.simulator.stop()
        let lines = try lines()
        #expect(lines.map(\.status) == [200, 200, 400, 403])
        #expect(lines.map(\.reason) == [nil, nil, "MissingTopic", "MissingProviderToken"])
        #expect(lines.map(\.stream) == [1, 3, 5, 7])
        #expect(lines.map(\.connection) == [1, 1, 1, 1])
        #expect(lines[1].body == japanese)
        let expected = [
            "apns-topic": "com.example.app", "apns-push-type": "background", "apns-priority": "1",
            "apns-expiration": "1800000600", "apns-collapse-id": "place-1",
            "apns-id": "3e8ed0f6-6a2c-5f6d-9a52-2e2b1f8f9a11",
        ]
        #expect(lines[1].headers == expected)
        #expect(lines[1].token == TestRequest.deviceToken)
        #expect(lines[1].kid == "KEYIDENT01")
        #expect(lines[1].iss == "TEAMIDENT1")
        #expect(lines[1].iat != nil)
        #expect(lines[1].at.hasSuffix("Z") && lines[1].at.utf8.count == 24)
        #expect(lines[3].kid == nil)
        #expect(lines[3].headers["apns-id"] == nil)
    }

    @Test func `holds no line for what was not answered`() throws {
        let simulation = try simulation()
        let client = try simulation.trustedClient()
        simulation.setFault { match, then in
            match.count = 1
            then.refuse = true
        }
        _ = try client.send(simulation.request, tag: 2)
        simulation.setFault { _, then in then.close = true }
        _ = try client.send(simulation.request, tag: 3)
        simulation.simulator.stop()
        #expect(try lines().count == 1)
    }

    @Test func `is written while the simulator runs`() throws {
        let simulation = try simulation()
        _ = try simulation.trustedClient()
        let deadline = Clock.monotonicMillis() + 20_000
        while try lines().isEmpty, Clock.monotonicMillis() < deadline {
            _ = simulation.simulator.wait(accepted: 2, timeoutMillis: 5)
        }
        #expect(try lines().count == 1)
        simulation.simulator.stop()
    }

    @Test func `goes on where it ended before`() throws {
        for count in 1...2 {
            let simulation = try simulation()
            _ = try simulation.trustedClient()
            simulation.simulator.stop()
            #expect(try lines().count == count)
        }
    }

    @Test func `bears a body that is no text`() throws {
        let simulation = try simulation()
        let client = try simulation.trustedClient()
        var odd = simulation.request
        odd.body = [0xFF, 0x00, 0x22, 0x5C, 0xE6]
        _ = try client.send(odd, tag: 2)
        simulation.simulator.stop()
        #expect(try lines()[1].body == "\u{FFFD}\0\"\\\u{FFFD}")
    }

    @Test func `names a path that cannot be written`() {
        var options = SimulatorOptions()
        options.logPath = folder.path
        #expect {
            try APNsSimulator(options)
        } throws: { "\($0)".hasPrefix("log \(folder.path): ") }
    }

    @Test func `counts the lines that its file does not take`() throws {
        let simulation = try Simulation { $0.logPath = "/dev/full" }
        let client = try simulation.trustedClient()
        #expect(try client.send(simulation.request, tag: 2) == .accepted)
        #expect(simulation.simulator.stop().logLinesLost == 2)
    }

    @Test func `says once that lines are lost, and goes on in a new line after a torn one`() async {
        // In a process of its own, since the limit of files is one for all threads.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let said = Mutex(0)
            let output = LogOutput(level: .error, format: .text) { _ in said.withLock { $0 += 1 } }
            let token = try TestToken(iat: TestRequest.wallMillis / 1000).signed(by: P256.SigningKey())
            let request = ServerRequest(fields: TestRequest(token: token).fields, body: [0x7B])
            var log = try RequestLog(path: "\(folder.path)/log", logger: Logger(label: "test", output: output))
            func addLine() {
                let moment = Moment(nowMillis: 0, wallMillis: TestRequest.wallMillis)
                log.add(request, PushHead(request), Answer(.accepted), connection: 1, token: nil, at: moment)
                log.flush()
            }
            addLine()
            let line = try #require(folder.read("log"))
            FileSize.limit(bytes: line.count * 3 / 2)
            addLine()
            addLine()
            FileSize.limit(bytes: nil)
            addLine()
            let torn = line + line.prefix(line.count * 3 / 2 - line.count)
            #expect(folder.read("log") == torn + [0x0A] + line)
            #expect(log.lostLineCount == 2)
            #expect(said.withLock { $0 } == 1)
        }
    }
}

/// How large files of this process may become.
private enum FileSize {
    static func limit(bytes: Int?) {
        // Else the first write beyond it would end the process.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = bytes.map(rlim_t.init) ?? limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
}
