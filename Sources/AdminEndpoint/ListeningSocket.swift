internal import EventLoop
internal import Glibc

/// A TCP socket that listens; whoever takes its descriptor closes it.
struct ListeningSocket {
    private static let backlog: Int32 = 64

    let descriptor: Int32
    /// The port, also where the system chose it.
    let port: UInt16

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - host: A name or an address of this machine.
    ///   - port: 0 lets the system choose.
    /// - Throws: ``SystemError``; nothing is left open then.
    init(host: String, port: UInt16) throws(SystemError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, "\(port)", &hints, &found)
        guard code == 0, let address = unsafe found else {
            throw SystemError(call: "getaddrinfo", code: code == EAI_SYSTEM ? errno : EADDRNOTAVAIL)
        }
        defer { unsafe freeaddrinfo(address) }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = unsafe socket(address.pointee.ai_family, type, 0)
        guard descriptor >= 0 else { throw SystemError(lastOf: "socket") }
        do throws(SystemError) {
            try unsafe Self.listen(descriptor, address.pointee)
            self.port = try Self.port(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    private static func listen(_ descriptor: Int32, _ address: addrinfo) throws(SystemError) {
        var one: Int32 = 1
        // Without it a restart has to wait until the connections of the last process are forgotten.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            throw SystemError(lastOf: "bind")
        }
        guard Glibc.listen(descriptor, backlog) == 0 else { throw SystemError(lastOf: "listen") }
    }

    private static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
        // The port stands at the same place in both forms of an address.
        var address = sockaddr_in6()
        var count = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &count)
        }
        guard code == 0 else { throw SystemError(lastOf: "getsockname") }
        return UInt16(bigEndian: address.sin6_port)
    }
}
