import EndToEndSupport
import FoundationEssentials
import HTTPTestSupport
import Operations
import Testing

/// The admin endpoint of a running worker, as a probe sees it.
struct Admin {
    /// What `/readyz` says.
    struct Readiness: Decodable {
        struct Reason: Decodable {
            let code: String
            let stage: String
            let detail: String
        }
        struct Stage: Decodable {
            let name: String
            let running: Bool
            let partitions: Int
            let lagRecords: Int
        }
        let ready: Bool
        let reasons: [Reason]
        let stages: [Stage]
    }

    private let server: WorkerAdmin
    let client: HTTPClient

    init(_ worker: RunningWorker) throws {
        server = try WorkerAdmin(
            try #require(Address("127.0.0.1:0", portMin: 0)),
            worker: worker.worker,
            version: "1.2.3"
        )
        client = HTTPClient(port: server.port)
    }

    /// What `/readyz` says now; status and body agree.
    func readiness() throws -> Readiness {
        let answer = try client.get("/readyz")
        let readiness = try JSONDecoder().decode(Readiness.self, from: Data(answer.body.utf8))
        #expect(answer.status == (readiness.ready ? 200 : 503))
        #expect(readiness.ready == readiness.reasons.isEmpty)
        return readiness
    }

    /// Waits until the worker is ready.
    func ready() async throws {
        var last = ""
        try await eventually("readiness", state: { last }) {
            last = try client.get("/readyz").body
            return try readiness().ready
        }
    }

    /// Waits until a reason speaks against it.
    func unready(_ code: String) async throws -> Readiness.Reason {
        var found: Readiness.Reason?
        var last = ""
        try await eventually("the reason \(code)", state: { last }) {
            last = try client.get("/readyz").body
            found = try readiness().reasons.first { $0.code == code }
            return found != nil
        }
        return try #require(found)
    }

    /// The samples of `/metrics` by their name and labels as they stand there.
    func metrics() throws -> [String: Double] {
        let text = try client.get("/metrics").body
        var samples: [String: Double] = [:]
        for line in text.split(separator: "\n") where line.first != "#" {
            let space = try #require(line.lastIndex(of: " "))
            samples[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return samples
    }
}
