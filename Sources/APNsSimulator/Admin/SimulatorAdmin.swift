internal import AdminEndpoint

/// What the admin address of a running simulator answers.
///
/// `GET`, `PUT` and `DELETE /faults` read, replace and remove the rules, one JSON object a line; `GET /summary` counts so
/// far. A rule that is malformed changes nothing.
struct SimulatorAdmin: Sendable {
    private static let linesType = "application/x-ndjson"

    // Not the simulator, whose end waits for the request under way.
    let launch: Launch

    /// Answers one request; called on the endpoint's thread.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch (request.path, request.method) {
        case ("/faults", "GET"): faults()
        case ("/faults", "PUT"): setFaults(request.body)
        case ("/faults", "DELETE"): setFaults([])
        case ("/faults", _): .methodNotAllowed("GET, PUT, DELETE")
        case ("/summary", "GET"): Self.json(200, launch.summary.json)
        case ("/summary", _): .methodNotAllowed("GET")
        default: .notFound
        }
    }

    private func faults() -> HTTPResponse {
        do {
            let lines = try FaultRule.write(launch.mailbox.call { $0.faults.current } ?? [])
            return HTTPResponse(status: 200, contentType: Self.linesType, body: lines)
        } catch {
            return .text(500, "the rules cannot be written: \(error)")
        }
    }

    private func setFaults(_ json: [UInt8]) -> HTTPResponse {
        do throws(SimulatorError) {
            let rules = try FaultRule.read(json)
            launch.setFaults(rules)
            return Self.json(200, "{\"rules\":\(rules.count)}")
        } catch {
            var text = TextBuffer(capacity: 256)
            text.append("{\"error\":")
            text.append(quoted: error.description)
            text.append("}")
            return Self.json(400, text.span.text)
        }
    }

    private static func json(_ status: Int, _ object: String) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "application/json", body: Array((object + "\n").utf8))
    }
}
