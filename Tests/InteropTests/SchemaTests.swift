import BlockingTestSupport
import EndToEndSupport
import Events
import Foundation
import Testing

/// Config/schemas, judged by the Python package jsonschema, say what `geopush validate` says.
@Suite(.blocks, .enabled(if: Tool.hasPython, Tool.pythonComment))
struct SchemaTests {
    private struct Case: Decodable {
        let schema: String
        let unsaid: String?
    }

    /// Whether a schema takes each event of a file of cases.
    private func verdicts(_ path: String) throws -> [Bool] {
        let script = "\(Tool.root)/Tests/InteropTests/Clients/schema_judge.py"
        let output = try Tool.run(Tool.python, [script, "\(Tool.root)/Config/schemas", path])
        try #require(output.code == 0, "\(output.errors)")
        return try JSONDecoder().decode([Bool].self, from: Data(output.text.utf8))
    }

    /// Writes cases to a file of its own.
    private func verdicts(_ cases: [(schema: String, event: String)]) throws -> [Bool] {
        let folder = try TemporaryFolder()
        let path = folder.file("cases.jsonl")
        let lines = cases.map { #"{"schema":"\#($0.schema)","event":\#($0.event)}"# + "\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return try verdicts(path)
    }

    private func isTaken(_ event: String) -> Bool {
        PublishPlan(input: Array(event.utf8), kind: nil, apps: [], nowMillis: 1_796_117_400_000).faults.isEmpty
    }

    @Test func `the schemas refuse every faulty event, but for what no schema can say`() throws {
        let path = "\(Tool.root)/Tests/EventsTests/Faulty/events.jsonl"
        let verdicts = try verdicts(path)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(verdicts.count == lines.count)
        for (line, isValid) in zip(lines, verdicts) {
            let expected = try JSONDecoder().decode(Case.self, from: Data(line.utf8)).unsaid != nil
            #expect(isValid == expected, "\(line)")
        }
    }

    @Test func `the schemas take every example`() throws {
        let folder = "\(Tool.root)/Config/examples"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let cases = try names.map { name in
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let type = text.firstMatch(of: /"type": "([a-z.]+)"/).map { String($0.1) }
            // One case a line.
            return (schema: type ?? "push", event: text.split(separator: "\n").joined())
        }
        #expect(cases.count >= 9)
        #expect(try verdicts(cases) == cases.map { isTaken($0.event) })
        #expect(cases.allSatisfy { isTaken($0.event) })
    }

    @Test(arguments: [
        ("locationId", "7.5", "wrong-type"), ("revision", "7.0", ""), ("revision", "1e2", ""), ("latitude", "90", ""),
        ("latitude", "-90.0", ""), ("radius", "1e-9", ""), ("name", #""""#, ""), ("unknown", "[null]", ""),
        ("expiresAt", #""2028-02-29t23:59:60.5z""#, ""),
        ("expiresAt", #""2026-12-01T09:30:00+24:00""#, "invalid-value"),
        ("expiresAt", #""2026-12-01 09:30:00Z""#, "invalid-value"), ("revision", "9223372036854775807", ""),
        ("app", #""近\u00A0 ~""#, ""), ("app", #""a\u009f""#, "invalid-value"), ("audience", "null", "wrong-type"),
        ("audience", #"{"devices":[{"token":"not hexadecimal"}]}"#, ""),
        ("audience", #"{"everyone":true,"tags":{"none":["a"]}}"#, ""),
    ])
    func `a schema and validate agree about bare data`(name: String, value: String, code: String) throws {
        var fields = ["locationId": #""l""#, "revision": "1", "latitude": "1", "longitude": "2", "radius": "3"]
        fields["app"] = #""demo""#
        fields[name] = value
        let event =
            "{" + fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
        #expect(isTaken(event) == code.isEmpty)
        #expect(try verdicts([(schema: "location.updated#data", event: event)]) == [code.isEmpty])
    }

    @Test(arguments: TokenDisclosure.allCases)
    func `the schema takes a receipt of every status`(disclosure: TokenDisclosure) throws {
        var writer = ReceiptWriter(source: "/geopush/delivery", worker: "host-1", disclosure: disclosure)
        let cases = ReceiptStatus.allCases.map { status in
            let texts = ["Unregistered", "d0", "geopush.pushes"].map { Array($0.utf8) }
            return texts[0].withUnsafeBytes { reason in
                texts[1].withUnsafeBytes { token in
                    texts[2].withUnsafeBytes { topic in
                        var fields = ReceiptFields()
                        fields.status = status
                        fields.reason = reason
                        fields.token = token
                        fields.topic = topic
                        fields.httpStatus = status == .failed ? 0 : 410
                        fields.unregisteredAtMillis = status == .unregistered ? .max : -1
                        fields.queuedAtMillis = .max
                        writer.write(fields, eventSource: topic)
                        return (schema: "push.receipt", event: String(decoding: writer.valueBytes, as: UTF8.self))
                    }
                }
            }
        }
        #expect(try verdicts(cases) == cases.map { _ in true })
    }
}
