import BlockingTestSupport
import EventLoop
import Glibc
import Testing

@testable import HTTP2

@Suite(.blocks) struct ConnectTests {
    private static func failure(_ endpoint: Endpoint, timeoutMillis: Int = 10_000) -> ConnectError? {
        do {
            _ = try Transport(to: endpoint, timeoutMillis: timeoutMillis)
            return nil
        } catch {
            return error
        }
    }

    private static func freePort() throws -> UInt16 {
        try Listener(address: ListenAddress(host: "127.0.0.1", port: 0)).address.port
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `opens a connection to an address and to a name`(host: String) throws {
        let peer = try TestPeer { $0.readToEnd() }
        let endpoint = Endpoint(host: host, port: peer.port, caFile: peer.certificate.authority)
        let transport = try Transport(to: endpoint, timeoutMillis: 10_000)
        #expect(transport.fileDescriptor >= 0)
    }

    @Test func `refuses a certificate of an authority that it does not trust`() throws {
        let peer = try TestPeer { $0.readToEnd() }
        let other = try TestCertificate()
        let endpoint = Endpoint(host: "127.0.0.1", port: peer.port, caFile: other.authority)
        let error = withExtendedLifetime(other) { Self.failure(endpoint) }
        #expect(error?.kind == .certificate)
    }

    @Test func `refuses a private certificate where the system's authorities hold`() throws {
        let peer = try TestPeer { $0.readToEnd() }
        let error = try #require(Self.failure(Endpoint(host: "127.0.0.1", port: peer.port)))
        #expect(error.kind == .certificate, "\(error)")
    }

    @Test func `refuses a certificate for another host`() throws {
        let certificate = try TestCertificate(names: ["push.example.com"], addresses: ["192.0.2.1"])
        let peer = try TestPeer(certificate) { $0.readToEnd() }
        let error = try #require(Self.failure(peer.endpoint))
        #expect(error.kind == .certificate, "\(error)")
    }

    @Test func `says when the file of authorities cannot be read`() throws {
        let peer = try TestPeer { $0.readToEnd() }
        let endpoint = Endpoint(host: "127.0.0.1", port: peer.port, caFile: "/nowhere/ca.pem")
        let error = try #require(Self.failure(endpoint))
        #expect(error.kind == .other)
        #expect(error.message.contains("/nowhere/ca.pem"))
    }

    @Test func `says when nothing listens`() throws {
        let error = try #require(Self.failure(Endpoint(host: "127.0.0.1", port: try Self.freePort())))
        #expect(error.kind == .refused, "\(error)")
    }

    @Test func `says when a host has no address`() throws {
        let error = try #require(Self.failure(Endpoint(host: "geopush.invalid", port: 443)))
        #expect(error.kind == .resolve, "\(error)")
    }

    @Test func `gives up on a server that does not answer`() throws {
        let peer = try TestPeer(raw: { socket in
            var byte: UInt8 = 0
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            // Reads until the client has gone.
            while poll(&descriptor, 1, 20_000) > 0, recv(socket, &byte, 1, 0) > 0 {}
            close(socket)
        })
        let error = try #require(Self.failure(peer.endpoint, timeoutMillis: 100))
        #expect(error.kind == .timeout, "\(error)")
    }

    @Test func `says when a server does not speak TLS`() throws {
        let peer = try TestPeer(raw: { socket in
            let text = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
            _ = send(socket, text, text.count, Int32(MSG_NOSIGNAL))
            shutdown(socket, Int32(SHUT_WR))
            var byte: UInt8 = 0
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            while poll(&descriptor, 1, 20_000) > 0, recv(socket, &byte, 1, 0) > 0 {}
            close(socket)
        })
        let error = try #require(Self.failure(peer.endpoint))
        #expect(error.kind == .tls, "\(error)")
    }

    @Test func `says when a server closes during the handshake`() throws {
        let peer = try TestPeer(raw: { close($0) })
        let error = try #require(Self.failure(peer.endpoint))
        #expect(error.kind == .tls, "\(error)")
    }

    @Test(arguments: [PlainTLSPeer.Protocols.none, .only("http/1.1")])
    func `demands HTTP 2`(protocols: PlainTLSPeer.Protocols) throws {
        let certificate = try TestCertificate()
        let peer = try TestPeer(certificate, raw: { PlainTLSPeer.serve($0, certificate, protocols) })
        let error = try #require(Self.failure(peer.endpoint))
        #expect(error.kind == .alpn, "\(error)")
    }
}
