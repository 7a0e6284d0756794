import EventLoop
import FoundationEssentials
import Glibc

/// A folder of a test, removed with what is in it.
public final class TemporaryDirectory: Sendable {
    /// Its path.
    public let path: String

    /// Makes the folder.
    ///
    /// - Throws: ``SystemError`` when it cannot be made.
    public init() throws {
        var template = Array("/tmp/geopush-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(lastOf: "mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - text: What it holds.
    ///   - name: Its name.
    /// - Returns: Its path.
    /// - Throws: ``SystemError`` when it cannot be written.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(lastOf: "open") }
        defer { close(descriptor) }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemError(lastOf: "write") }
            bytes = bytes.dropFirst(count)
        }
        return file
    }
}
