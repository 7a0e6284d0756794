import Glibc

/// An HTTP proxy for one CONNECT: it refuses, or carries bytes both ways until both ends have closed.
enum TestProxy {
    static func serve(_ client: Int32, answer: String, port: UInt16?) {
        defer { close(client) }
        guard readHead(client) else { return }
        let head = Array("HTTP/1.1 \(answer)\r\n\r\n".utf8)
        _ = send(client, head, head.count, Int32(MSG_NOSIGNAL))
        guard let port, let server = connected(to: port) else { return }
        defer { close(server) }
        while true {
            var both = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&both, 2, 20_000) > 0 else { return }
            if both[0].revents != 0, !carry(client, server) { return }
            if both[1].revents != 0, !carry(server, client) { return }
        }
    }

    private static func readHead(_ socket: Int32) -> Bool {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while !head.reversed().starts(with: Array("\n\r\n\r".utf8)) {
            guard poll(&descriptor, 1, 20_000) > 0, recv(socket, &byte, 1, 0) == 1 else { return false }
            head.append(byte)
        }
        return head.starts(with: Array("CONNECT ".utf8))
    }

    private static func carry(_ from: Int32, _ to: Int32) -> Bool {
        var part: [UInt8] = .init(repeating: 0, count: 65_536)
        let count = recv(from, &part, part.count, 0)
        guard count > 0 else { return false }
        var sent = 0
        while sent < count {
            let moved = part.withUnsafeBytes { send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL)) }
            if moved > 0 {
                sent += moved
                continue
            }
            var descriptor = pollfd(fd: to, events: Int16(POLLOUT), revents: 0)
            guard errno == EAGAIN, poll(&descriptor, 1, 20_000) > 0 else { return false }
        }
        return true
    }

    private static func connected(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        return code == 0 ? descriptor : nil
    }
}
