import Cryptography
import EventLoop
import FoundationEssentials
import Glibc

/// The files of a server's certificate, removed with this object.
final class TestCertificate: Sendable {
    let folder: String

    /// Makes a certificate, by default for this machine.
    init(names: [String] = ["localhost"], addresses: [String] = ["127.0.0.1"]) throws {
        folder = "/tmp/geopush-http2-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let subject = ServerCertificate.Subject(names: names, addresses: addresses)
        let made = try ServerCertificate(subject: subject, nowSeconds: Clock.wallMillis() / 1_000)
        try write(made.authorityPEM, "ca.pem")
        try write(made.certificatePEM, "server.pem")
        try write(made.key.pem(), "server.key")
    }

    // A folder that is left behind does no harm.
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    var authority: String { "\(folder)/ca.pem" }
    var certificate: String { "\(folder)/server.pem" }
    var key: String { "\(folder)/server.key" }
}
