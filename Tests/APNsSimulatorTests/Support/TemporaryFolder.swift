import FoundationEssentials
import Glibc

/// A folder that is removed with all its files at the end of a test.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/geopush-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CancellationError() }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // A folder that is left behind does no harm.
    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The bytes of a file in it; nil where it cannot be read.
    func read(_ name: String) -> [UInt8]? {
        guard let file = fopen("\(path)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = .init(repeating: 0, count: 1 << 20)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }

    func write(_ text: String, to name: String) {
        guard let file = fopen("\(path)/\(name)", "w") else { return }
        fputs(text, file)
        fclose(file)
    }
}
