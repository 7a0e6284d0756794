internal import Glibc

/// Reads key files.
public enum KeyFile {
    /// The largest file read; a P-256 key in PEM has about 250 bytes.
    public static let bytesMax = 65_536

    /// Reads a whole file.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: Its bytes, which are a secret.
    /// - Throws: `unreadable` or `tooLarge`.
    public static func read(path: String) throws(KeyError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(code: errno) }
        // Nothing was written, so closing loses nothing.
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = .init(repeating: 0, count: bytesMax + 1)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if got == 0 { break }
            if got > 0 {
                count += got
            } else if errno != EINTR {
                throw .unreadable(code: errno)
            }
        }
        guard count <= bytesMax else { throw .tooLarge(bytes: count) }
        return Array(bytes[..<count])
    }
}

/// The system's text for an `errno`.
func systemText(_ code: Int32) -> String {
    var buffer: [CChar] = .init(repeating: 0, count: 128)
    // The POSIX form, which writes into the buffer and returns an error number.
    guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
