import Cryptography
import FoundationEssentials

/// A folder of key files for one test.
final class KeyFolder: Sendable {
    let path: String

    init() throws {
        path = "\(FileManager.default.temporaryDirectory.path)/geopush-keys-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a key and returns it.
    @discardableResult
    func write(_ key: P256.SigningKey, as name: String = "key.p8") throws -> P256.SigningKey {
        try write(key.pem(), as: name)
        return key
    }

    func write(_ text: String, as name: String = "key.p8") throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    func remove(_ name: String = "key.p8") throws {
        try FileManager.default.removeItem(atPath: file(name))
    }
}
