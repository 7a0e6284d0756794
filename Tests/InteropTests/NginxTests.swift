import BlockingTestSupport
import EndToEndSupport
import Testing

/// The sender, as a whole worker, judged by nginx.
@Suite(.blocks, .serialized, .enabled(if: Tool.isInstalled("nginx"), "nginx is not installed: run make setup"))
struct NginxTests {
    private func expected(_ token: String) -> (status: String, http: Int, reason: String?) {
        switch token.prefix(2) {
        case "90": ("unregistered", 410, "Unregistered")
        case "b0": ("rejected", 400, "BadDeviceToken")
        default: ("accepted", 200, nil)
        }
    }

    private func tokens(_ numbers: Range<Int>) -> [String] {
        numbers.map { Sending.token(["d0", "d0", "90", "d0", "b0"][$0 % 5], $0) }
    }

    @Test func `a server that ends each connection after 100 requests gets each push once`() async throws {
        let nginx = try await Nginx(requestsOfConnection: 100)
        let sending = try Sending(to: nginx.port, nginx.folder)
        let tokens = tokens(0..<1_500)
        try sending.publish(tokens)
        _ = try await sending.receipts.wait(for: tokens.count, "receipts")
        await sending.stop()
        let served = try await nginx.served(tokens.count)
        sending.check(tokens, served: served, expected: expected)
        let connections = Dictionary(grouping: served, by: \.connection).mapValues(\.count)
        #expect(connections.values.max() == 100)
        #expect(connections.count >= 15)
    }

    @Test func `a server that is reloaded in the midst of pushes gets each once`() async throws {
        let nginx = try await Nginx(requestsOfConnection: 1_000_000)
        let sending = try Sending(to: nginx.port, nginx.folder)
        var published: [String] = []
        func publish(_ count: Int) throws {
            let more = tokens(published.count..<published.count + count)
            try sending.publish(more)
            published += more
        }
        for _ in 1...3 {
            try publish(400)
            // Hundreds are open when it begins to end.
            _ = try await sending.receipts.wait(for: published.count - 300, "some receipts")
            try nginx.reload()
            try publish(100)
            _ = try await sending.receipts.wait(for: published.count, "all receipts")
        }
        await sending.stop()
        let served = try await nginx.served(published.count)
        sending.check(published, served: served, expected: expected)
        #expect(Set(served.map(\.worker)).count > 1)
    }
}
