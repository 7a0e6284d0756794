import EventLoop
import Glibc

@testable import HTTP2

/// nghttp2's own server, a foreign judge of the client.
final class Nghttpd {
    static let path = ["/usr/bin", "/usr/sbin", "/usr/local/bin"].map { $0 + "/nghttpd" }.first { (path: String) in
        access(path, X_OK) == 0
    }

    private let certificate: TestCertificate
    private let port: UInt16
    private let process: pid_t

    /// Starts one that serves the certificate's folder, with so many streams at a time.
    init?(streams: Int, options: [String] = []) throws {
        guard let path = Self.path else { return nil }
        certificate = try TestCertificate()
        port = try Listener(address: ListenAddress(host: "127.0.0.1", port: 0)).address.port
        let arguments =
            [path, "-a", "127.0.0.1", "-d", certificate.folder, "-m", "\(streams)"] + options
            + ["\(port)", certificate.key, certificate.certificate]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var started: pid_t = 0
        guard posix_spawn(&started, path, nil, nil, &words, environ) == 0 else { return nil }
        process = started
    }

    deinit {
        // The threads of tests block SIGTERM, and a child inherits that.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// A client of it, as soon as it listens.
    func client() throws -> TestClient {
        let endpoint = Endpoint(host: "127.0.0.1", port: port, caFile: certificate.authority)
        let pause = try EventSignal()
        let deadline = Clock.monotonicMillis() + 20_000
        while true {
            do {
                return try TestClient(endpoint)
            } catch let error as ConnectError where error.kind == .refused && Clock.monotonicMillis() < deadline {
                _ = pause.wait(timeoutMillis: 10)
            }
        }
    }
}
