import EventLoop
import Glibc

/// Ports of loopback that nobody listens on at this moment.
public enum FreePorts {
    /// Finds ports.
    ///
    /// - Parameter count: How many, all different.
    /// - Returns: The ports.
    /// - Throws: ``SystemError`` when the system has none.
    public static func find(_ count: Int) throws -> [UInt16] {
        var sockets: [Int32] = []
        // All are held until the last is found, so that none comes twice.
        defer { for descriptor in sockets { close(descriptor) } }
        return try (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard descriptor >= 0 else { throw SystemError(lastOf: "socket") }
            sockets.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
                }
            }
            guard code == 0 else { throw SystemError(lastOf: "bind") }
            return UInt16(bigEndian: address.sin_port)
        }
    }
}
