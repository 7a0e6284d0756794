import EventLoop
import Glibc

@testable import HTTP2

/// A server on loopback for one connection, on a thread of its own, that does what the test says.
///
/// The thread ends when the client has closed, or at its deadline.
final class TestPeer {
    let port: UInt16
    let certificate: TestCertificate
    private let thread: WorkerThread

    /// Starts one that speaks TLS with `h2`.
    convenience init(
        _ certificate: TestCertificate? = nil,
        _ script: @escaping @Sendable (PeerStream) -> Void
    ) throws {
        let certificate = try certificate ?? TestCertificate()
        try self.init(
            certificate,
            raw: { descriptor in
                guard let tls = try? ServerTLS(certificatePath: certificate.certificate, keyPath: certificate.key),
                    let stream = PeerStream(descriptor, tls)
                else { return }
                script(stream)
            }
        )
    }

    /// Starts one that gets the bare socket, and closes it.
    init(_ certificate: TestCertificate? = nil, raw script: @escaping @Sendable (Int32) -> Void) throws {
        self.certificate = try certificate ?? TestCertificate()
        let listener = try Listener(address: ListenAddress(host: "127.0.0.1", port: 0))
        port = listener.address.port
        let slot = ListenerSlot(listener)
        thread = try WorkerThread(name: "test-peer") {
            ServerTransport.blockBrokenPipeSignal()
            guard let listener = slot.take() else { return }
            var descriptor = pollfd(fd: listener.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 20_000) > 0, let socket = try? listener.accept() else { return }
            script(socket)
        }
    }

    var endpoint: Endpoint { Endpoint(host: "127.0.0.1", port: port, caFile: certificate.authority) }

    /// Hands the listener to the thread; used by one after the other, never by both.
    private final class ListenerSlot: @unchecked Sendable {
        private var listener: Listener?
        init(_ listener: consuming Listener) { self.listener = consume listener }
        func take() -> Listener? { listener.take() }
    }
}
