public import EventLoop
internal import Glibc

/// A listening TCP socket, non-blocking; confined to one thread.
public struct Listener: ~Copyable {
    /// The socket, to wait on; owned by this value.
    public let fileDescriptor: Int32
    /// The address that it is bound to, with the port that the system chose where 0 was asked for.
    public let address: ListenAddress

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - address: Where; port 0 picks a free one.
    ///   - backlog: How many connections the kernel holds before they are accepted.
    /// - Throws: ``SystemError``, such as EADDRINUSE; `inet_pton` for an address that is none.
    public init(address: ListenAddress, backlog: Int32 = 1024) throws(SystemError) {
        let descriptor = socket(
            address.isIPv6 ? AF_INET6 : AF_INET,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { throw SystemError(lastOf: "socket") }
        do throws(SystemError) {
            var one: Int32 = 1
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
            try address.bind(descriptor)
            guard listen(descriptor, backlog) == 0 else { throw SystemError(lastOf: "listen") }
            self.address = ListenAddress(host: address.host, port: try ListenAddress.port(of: descriptor))
        } catch {
            close(descriptor)
            throw error
        }
        self.fileDescriptor = descriptor
    }

    deinit { close(fileDescriptor) }

    /// Accepts one connection, without Nagle's delay.
    ///
    /// - Returns: Its socket, owned by the caller, or nil where none waits.
    /// - Throws: ``SystemError`` where the process has no descriptor left (EMFILE); accepting goes on later.
    public func accept() throws(SystemError) -> Int32? {
        while true {
            let descriptor = Glibc.accept(fileDescriptor, nil, nil)
            if descriptor >= 0 {
                // Cannot fail for a descriptor that is open.
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                var one: Int32 = 1
                _ = unsafe setsockopt(
                    descriptor,
                    Int32(IPPROTO_TCP),
                    TCP_NODELAY,
                    &one,
                    socklen_t(MemoryLayout<Int32>.size)
                )
                return descriptor
            }
            switch errno {
            case EAGAIN: return nil
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: throw SystemError(lastOf: "accept")
            // The connection failed before it was accepted (accept(2), "Error handling"): the next may be well.
            default: continue
            }
        }
    }
}
