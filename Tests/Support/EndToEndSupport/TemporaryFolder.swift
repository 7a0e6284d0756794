import Cryptography
import EventLoop
import FoundationEssentials
import Glibc

/// A folder that is removed with all its files at the end of a test.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes an empty one.
    public init() throws {
        var template = Array("/tmp/geopush-e2e-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(lastOf: "mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // A folder that is left behind does no harm.
    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file.
    public func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    /// The text of a file; empty where it cannot be read.
    public func text(_ name: String) -> String {
        (try? Data(contentsOf: URL(filePath: file(name)))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Writes a new provider key as a `.p8` file.
    ///
    /// - Returns: Its path.
    public func writeProviderKey() throws -> String {
        try write(P256.SigningKey().pem(), to: "key.p8")
        return file("key.p8")
    }
}
