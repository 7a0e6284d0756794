import BlockingTestSupport
import EndToEndSupport
import Testing

/// The sender, as a whole worker, judged by a strict server on the Python package h2.
@Suite(.blocks, .serialized, .enabled(if: Tool.hasPython, Tool.pythonComment))
struct H2ServerTests {
    /// How the server answers, by the first two digits of a device token.
    private static let kinds = [
        "d0", "d1", "d2", "d3", "d4", "d5", "90", "91", "b0", "b1", "e0", "e1", "e2", "e3", "e4", "e5",
    ]

    private func expected(_ token: String) -> (status: String, http: Int, reason: String?) {
        switch token.prefix(2) {
        case "90", "91": ("unregistered", 410, "Unregistered")
        case "b0": ("rejected", 400, "BadDeviceToken")
        case "b1": ("rejected", 413, "PayloadTooLarge")
        default: ("accepted", 200, nil)
        }
    }

    private func send(
        _ kinds: [String],
        _ count: Int,
        _ change: (inout H2Server.Conduct) -> Void = { _ in }
    ) async throws -> (served: [ServedRequest], connections: [H2Server.EndedConnection]) {
        var conduct = H2Server.Conduct()
        change(&conduct)
        let server = try H2Server(conduct)
        let sending = try Sending(to: server.port, server.folder)
        let tokens = (0..<count).map { Sending.token(kinds[$0 % kinds.count], $0) }
        try sending.publish(tokens)
        _ = try await sending.receipts.wait(for: count, "receipts")
        await sending.stop()
        let served = try server.served()
        let connections = try await server.ended(Set(served.map(\.connection)).count)
        let faults = try server.faults()
        #expect(faults == [], "\(faults.prefix(5))")
        sending.check(tokens, served: served, expected: expected) { $0.hasPrefix("e") ? 1 : 0 }
        let isAcknowledged = connections.allSatisfy { $0.acknowledged == $0.settings && $0.pongs == $0.pings }
        #expect(isAcknowledged, "\(connections)")
        return (served, connections)
    }

    @Test func `each answer becomes its receipt, however it is framed`() async throws {
        _ = try await send(Self.kinds, 480)
    }

    @Test func `settings hold from when they are acknowledged`() async throws {
        let (_, connections) = try await send(["d0", "d2", "90", "e2"], 800) { conduct in
            conduct.settingsEvery = 20
            conduct.settings = [
                ["3": 100], ["1": 0, "4": 20], ["1": 4_096, "3": 3], ["4": 65_535, "3": 7, "5": 65_536], ["1": 70],
                ["4": 1, "3": 1_000], ["4": 300, "6": 8_000, "3": 20],
            ]
        }
        #expect(connections.map(\.settings).reduce(0, +) >= 40)
    }

    @Test func `bodies go through windows of a few bytes`() async throws {
        _ = try await send(["d0", "90", "b0"], 400) { conduct in
            conduct.settings = [["3": 50, "4": 10]]
            conduct.credit = 3
        }
    }

    @Test func `a GOAWAY, warned of or not, loses nothing and doubles nothing`() async throws {
        let (served, connections) = try await send(["d0", "d4", "90", "b0"], 1_000) { conduct in
            conduct.goAwayEvery = 60
            conduct.settings = [["3": 20]]
        }
        #expect(Set(served.map(\.connection)).count >= 10)
        #expect(Set(connections.map(\.goAways)).isSuperset(of: [1, 2]))
    }
}
