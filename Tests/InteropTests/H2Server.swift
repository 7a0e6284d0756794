import EndToEndSupport
import Foundation
import Glibc
import Testing

/// A server on the Python package h2 that checks strictly what it gets, `Servers/h2_server.py`.
final class H2Server {
    /// What it is asked to do; each name is explained there.
    struct Conduct: Encodable {
        var settings: [[String: Int]] = [["3": 1_000]]
        var settingsEvery = 0
        var credit = 0
        var goAwayEvery = 0
    }

    /// What it says of one connection that has ended.
    struct EndedConnection {
        var settings: Int
        var acknowledged: Int
        var pings: Int
        var pongs: Int
        var goAways: Int
    }

    private struct Task: Encodable {
        var certificate: String
        var key: String
        var log: String
        var conduct: Conduct
    }

    private struct Line: Decodable {
        var wrong: String?
        var id: String?
        var token: String?
        var body: String?
        var status: Int?
        var connection: Int?
        var settings: Int?
        var acknowledged: Int?
        var pings: Int?
        var pongs: Int?
        var goAways: Int?
    }

    let folder: TemporaryFolder
    let port: UInt16
    private let process = Process()
    private let input = Pipe()

    init(_ conduct: Conduct) throws {
        folder = try TemporaryFolder()
        try folder.writeServerCertificate()
        let output = Pipe()
        process.executableURL = URL(filePath: Tool.python)
        process.arguments = ["\(Tool.root)/Tests/InteropTests/Servers/h2_server.py"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let task = Task(
            certificate: folder.file("server.pem"),
            key: folder.file("server.key"),
            log: folder.file("log"),
            conduct: conduct
        )
        input.fileHandleForWriting.write(try JSONEncoder().encode(task) + Data("\n".utf8))
        // It prints its port in one piece, or ends.
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(UInt16(text.trimmingCharacters(in: .whitespacesAndNewlines)), "it says \(text)")
    }

    // It ends with its standard input; when the tests are killed, too.
    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func lines() throws -> [Line] { try folder.lines("log", as: Line.self) }

    /// What was wrong in what it got.
    func faults() throws -> [String] { try lines().compactMap(\.wrong) }

    /// The requests that it has answered so far.
    func served() throws -> [ServedRequest] {
        try lines().compactMap { line in
            guard let id = line.id, let token = line.token, let body = line.body, let status = line.status,
                let connection = line.connection
            else { return nil }
            return ServedRequest(id: id, token: token, body: body, status: status, connection: connection)
        }
    }

    /// Waits until so many connections have ended.
    func ended(_ count: Int) async throws -> [EndedConnection] {
        var ended: [EndedConnection] = []
        try await eventually("\(count) connections end", seconds: 30, state: { "\(ended)" }) {
            ended = try lines().compactMap { line in
                guard let settings = line.settings, let acknowledged = line.acknowledged, let pings = line.pings,
                    let pongs = line.pongs, let goAways = line.goAways
                else { return nil }
                return EndedConnection(
                    settings: settings,
                    acknowledged: acknowledged,
                    pings: pings,
                    pongs: pongs,
                    goAways: goAways
                )
            }
            return ended.count >= count
        }
        return ended
    }
}
