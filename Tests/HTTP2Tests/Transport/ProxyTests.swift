import BlockingTestSupport
import Testing

@testable import HTTP2

@Suite(.blocks) struct ProxyTests {
    private func throughProxy(_ peer: TestPeer, port: UInt16) -> Endpoint {
        var endpoint = peer.endpoint
        endpoint.proxy = "http://127.0.0.1:\(port)"
        return endpoint
    }

    @Test func `tunnels through a proxy`() throws {
        let peer = try TestPeer { stream in
            stream.send(.settings())
            stream.read(until: .data)
            stream.send(.status(1, 200))
            stream.readToEnd()
        }
        let port = peer.port
        let proxy = try TestPeer(raw: { TestProxy.serve($0, answer: "200 Connection established", port: port) })
        let client = try TestClient(throughProxy(peer, port: proxy.port))
        #expect(client.submit(1))
        #expect(client.nextFinal() == .response(tag: 1, status: 200, retryAfterSeconds: -1))
    }

    @Test(arguments: ["407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway"])
    func `says what a proxy answers`(answer: String) throws {
        let proxy = try TestPeer(raw: { TestProxy.serve($0, answer: answer, port: nil) })
        let error = #expect(throws: ConnectError.self) {
            _ = try Transport(to: throughProxy(proxy, port: proxy.port), timeoutMillis: 10_000)
        }
        #expect(error?.kind == .proxy)
        #expect(error?.message.contains(answer.prefix(3)) == true, "\(error?.message ?? "")")
    }

    @Test func `tells a proxy that cannot be reached from a server`() throws {
        let port = try Listener(address: ListenAddress(host: "127.0.0.1", port: 0)).address.port
        let endpoint = Endpoint(host: "127.0.0.1", port: 443, proxy: "http://127.0.0.1:\(port)")
        let error = #expect(throws: ConnectError.self) { _ = try Transport(to: endpoint, timeoutMillis: 10_000) }
        #expect(error?.kind == .proxy)
    }
}
