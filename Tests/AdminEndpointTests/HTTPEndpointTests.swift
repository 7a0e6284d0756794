import AdminEndpoint
import BlockingTestSupport
import EventLoop
import Glibc
import HTTPTestSupport
import Synchronization
import Testing

/// The server as its clients see it.
@Suite(.blocks)
struct HTTPEndpointTests {
    /// Answers with what was asked.
    private func echo(_ port: UInt16 = 0, host: String = "127.0.0.1") throws -> HTTPEndpoint {
        try HTTPEndpoint(host: host, port: port) { request in
            switch request.path {
            case "/none": .notFound
            case "/put": .methodNotAllowed("PUT")
            default: .text(200, "\(request.method) \(request.path) \(request.body.count)")
            }
        }
    }

    @Test func `answers with what the handler says`() throws {
        let endpoint = try echo()
        let client = HTTPClient(port: endpoint.port)
        let answer = try client.get("/a/b?c=d")
        #expect(answer.status == 200)
        #expect(answer.body == "GET /a/b 0\n")
        #expect(answer.header("content-type") == "text/plain; charset=utf-8")
        #expect(answer.header("cache-control") == "no-store")
        #expect(try client.get("/none").status == 404)
    }

    @Test func `names the methods that a path takes`() throws {
        let endpoint = try echo()
        let answer = try HTTPClient(port: endpoint.port).get("/put")
        #expect(answer.status == 405)
        #expect(answer.header("allow") == "put")
    }

    @Test(arguments: [0, 1, HTTPEndpoint.bodyBytesMax - 1, HTTPEndpoint.bodyBytesMax])
    func `takes a body up to its bound`(count: Int) throws {
        let endpoint = try echo()
        let body = [UInt8](repeating: 0x61, count: count)
        let answer = try HTTPClient(port: endpoint.port).send("PUT", "/", body: body)
        #expect(answer.status == 200)
        #expect(answer.body == "PUT / \(count)\n")
    }

    @Test func `refuses a body beyond its bound, and serves on`() throws {
        let endpoint = try echo()
        let client = HTTPClient(port: endpoint.port)
        let body = [UInt8](repeating: 0x61, count: HTTPEndpoint.bodyBytesMax + 1)
        #expect(try client.send("PUT", "/", body: body).status == 413)
        #expect(try client.get("/").status == 200)
    }

    @Test func `says that a port is in use`() throws {
        let endpoint = try echo()
        #expect(throws: SystemError(call: "bind", code: EADDRINUSE)) { try echo(endpoint.port) }
    }

    @Test func `says that a host is not of this machine`() {
        #expect(throws: SystemError(call: "bind", code: EADDRNOTAVAIL)) { try echo(host: "192.0.2.1") }
        #expect(throws: SystemError.self) { try echo(host: "no.such.host.invalid") }
    }

    @Test func `stops when it is let go, and leaves its port free`() throws {
        let port = try { try echo().port }()
        #expect(throws: SystemError(call: "connect", code: ECONNREFUSED)) { try HTTPClient(port: port).get("/") }
        let next = try echo(port)
        #expect(try HTTPClient(port: next.port).get("/").status == 200)
    }

    @Test func `answers a new client while others hold connections and send nothing more`() throws {
        let endpoint = try echo()
        let client = HTTPClient(port: endpoint.port)
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        let start = Clock.monotonicMillis()
        for _ in 0..<300 { held.append(try client.begin()) }
        #expect(try client.get("/").status == 200)
        // Sooner than silent connections are closed for being silent.
        #expect(Clock.monotonicMillis() - start < 9_000)
        var byte: UInt8 = 0
        #expect(recv(try #require(held.first), &byte, 1, 0) <= 0, "the oldest gave way")
        #expect(recv(try #require(held.last), &byte, 1, Int32(MSG_DONTWAIT)) < 0, "the newest is open")
    }

    @Test func `answers one request after the other`() async throws {
        let shared = Overlap()
        let endpoint = try HTTPEndpoint(host: "127.0.0.1", port: 0) { _ in shared.enter() }
        let port = endpoint.port
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { (try? HTTPClient(port: port).get("/").status) ?? 0 } }
            for await status in group { #expect(status == 200) }
        }
        #expect(shared.most == 1)
    }
}

/// How many handlers ran at once.
private final class Overlap: Sendable {
    private let running = Mutex((now: 0, most: 0))

    var most: Int { running.withLock { $0.most } }

    func enter() -> HTTPResponse {
        running.withLock { running in
            running.now += 1
            running.most = max(running.most, running.now)
        }
        defer { running.withLock { $0.now -= 1 } }
        return .text(200, "ok")
    }
}
