public import EventLoop
internal import Glibc

/// Files as bytes.
public enum FileContent {
    /// Reads a file, a pipe or, for `-`, standard input to its end.
    ///
    /// - Parameter path: The path, or `-`.
    /// - Returns: All bytes.
    /// - Throws: ``SystemError``, such as that of a file that does not exist.
    public static func read(_ path: String) throws(SystemError) -> [UInt8] {
        if path == "-" { return try read(0) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(lastOf: "open") }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    private static func read(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var content: [UInt8] = []
        var chunk: [UInt8] = .init(repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count > 0 {
                content += chunk[..<count]
            } else if count == 0 {
                return content
            } else if errno != EINTR {
                throw SystemError(lastOf: "read")
            }
        }
    }
}
