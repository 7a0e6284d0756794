internal import Cryptography
internal import EventLoop
internal import Glibc

/// The folder with the certificate of the simulator and of the authority that signed it.
///
/// A folder of its own in the place for temporary files is removed at the end.
final class TLSDirectory: Sendable {
    private let path: String
    private let isTemporary: Bool

    var authorityPath: String { path + "/ca.pem" }
    var certificatePath: String { path + "/server.pem" }
    var keyPath: String { path + "/server.key" }

    /// Makes the folder if it is missing and fills it if it is empty.
    ///
    /// - Parameter path: The folder; nil makes a temporary one.
    /// - Throws: ``SimulatorError`` where it cannot be made, or holds other things only.
    init(path: String?) throws(SimulatorError) {
        if let path {
            self.path = path
            isTemporary = false
            try Self.makeFolder(path)
        } else {
            self.path = try Self.makeTemporary()
            isTemporary = true
        }
        let files = [authorityPath, certificatePath, keyPath]
        let missing = files.filter { unsafe access($0, F_OK) != 0 }
        if missing.isEmpty { return }
        guard try Self.isEmpty(self.path) else {
            throw SimulatorError(
                "TLS directory \(self.path): \(missing[0]) is missing: expected ca.pem, server.pem and server.key, "
                    + "or an empty folder to fill"
            )
        }
        try fill()
    }

    deinit {
        guard isTemporary else { return }
        for file in [authorityPath, certificatePath, keyPath] { unsafe unlink(file) }
        unsafe rmdir(path)
    }

    private func fill() throws(SimulatorError) {
        do {
            let certificate = try ServerCertificate(nowSeconds: Clock.wallMillis() / 1000)
            try Self.write(certificate.authorityPEM, to: authorityPath, mode: 0o644)
            try Self.write(certificate.certificatePEM, to: certificatePath, mode: 0o644)
            try Self.write(try certificate.key.pem(), to: keyPath, mode: 0o600)
        } catch {
            throw SimulatorError("TLS directory \(path): \(error)")
        }
    }

    private static func makeFolder(_ path: String) throws(SimulatorError) {
        // Each folder on the way, as `mkdir -p`.
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let part = String(path[..<end])
            if unsafe mkdir(part, 0o755) != 0, errno != EEXIST, errno != EISDIR {
                throw SimulatorError("TLS directory \(path): \(SystemError(lastOf: "mkdir"))")
            }
        }
    }

    private static func makeTemporary() throws(SimulatorError) -> String {
        let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/geopush-simulator-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw SimulatorError("a temporary folder in \(base): \(SystemError(lastOf: "mkdtemp"))")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func isEmpty(_ path: String) throws(SimulatorError) -> Bool {
        guard let folder = unsafe opendir(path) else {
            throw SimulatorError("TLS directory \(path): \(SystemError(lastOf: "opendir"))")
        }
        defer { _ = unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // `.` and `..`.
        return count <= 2
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws(SystemError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemError(lastOf: "open \(path)") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemError(lastOf: "write \(path)")
        }
    }
}
