internal import Cryptography
internal import EventLoop
internal import FoundationEssentials

/// A folder of files that is removed with this object.
final class TemporaryDirectory {
    private let root: String

    /// Makes an empty one.
    init() throws {
        root = FileManager.default.temporaryDirectory.path + "/geopush-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit {
        // What cannot be removed lies in the system's folder for such files.
        try? FileManager.default.removeItem(atPath: root)
    }

    /// The path of a file in it.
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Writes a file, and the folders on the way to it.
    func write(_ name: String, _ text: String) throws {
        let parent = path(name).split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "/\(parent)", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    /// Writes `ca.pem`, `server.pem` and `server.key`, valid for localhost.
    func writeCertificates() throws {
        let certificate = try ServerCertificate(nowSeconds: Clock.wallMillis() / 1_000)
        try write("ca.pem", certificate.authorityPEM)
        try write("server.pem", certificate.certificatePEM)
        try write("server.key", certificate.key.pem())
    }

    /// Writes a new provider key as a `.p8` file.
    func writeProviderKey(_ name: String) throws { try write(name, P256.SigningKey().pem()) }
}
