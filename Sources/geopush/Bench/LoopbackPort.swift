internal import EventLoop
internal import Glibc

/// Ports on 127.0.0.1.
enum LoopbackPort {
    /// Finds one that is free now.
    static func free() throws(SystemError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(lastOf: "socket") }
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, length) == 0 ? getsockname(descriptor, generic, &length) : -1
            }
        }
        guard code == 0 else { throw SystemError(lastOf: "bind") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until something listens on a port.
    ///
    /// - Throws: ``SystemError`` when nothing does within ten seconds.
    static func awaitListener(on port: UInt16) throws(SystemError) {
        let pause = try EventSignal()
        let deadline = Clock.monotonicMillis() + 10_000
        while !isListening(port) {
            guard Clock.monotonicMillis() < deadline else { throw SystemError(call: "connect", code: ETIMEDOUT) }
            _ = pause.wait(timeoutMillis: 20)
        }
    }

    private static func isListening(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = loopback(port: port)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
