import EventLoop
import Glibc

/// One HTTP/1.1 request over loopback, on a connection of its own; blocks until the answer is there.
public struct HTTPClient: Sendable {
    /// What came back.
    public struct Answer: Equatable, Sendable {
        /// The status; 0 where no answer came.
        public let status: Int
        /// The head: the status line and the headers, names in lower case.
        public let head: String
        /// The body.
        public let body: String

        /// The value of a header.
        public func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
    }

    private let port: UInt16

    /// Names the server.
    public init(port: UInt16) { self.port = port }

    /// Asks for a path.
    public func get(_ path: String) throws -> Answer { try send("GET", path) }

    /// Sends a request with a body, in one piece.
    ///
    /// - Throws: ``SystemError``, such as that of a port that nobody listens on.
    public func send(_ method: String, _ path: String, body: [UInt8] = []) throws -> Answer {
        let descriptor = try open()
        defer { close(descriptor) }
        let head = "\(method) \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
        write(Array("\(head)content-length: \(body.count)\r\n\r\n".utf8) + body, to: descriptor)
        return parse(readAll(descriptor))
    }

    /// Connects, sends the beginning of a request and leaves it there.
    ///
    /// - Returns: The socket, which the caller closes.
    public func begin() throws -> Int32 {
        let descriptor = try open()
        write(Array("GET / HTTP/1.1\r\nhost: loc".utf8), to: descriptor)
        return descriptor
    }

    private func open() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(lastOf: "socket") }
        do {
            try connect(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private func connect(_ descriptor: Int32) throws {
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw SystemError(lastOf: "connect") }
    }

    /// A server may answer and close before it has read all; then the answer counts.
    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + start, bytes.count - start, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            start += count
        }
    }

    private func readAll(_ descriptor: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return all }
            all += chunk[..<count]
        }
    }

    private func parse(_ bytes: [UInt8]) -> Answer {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        let head = String(decoding: bytes[..<(end?.lowerBound ?? bytes.count)], as: UTF8.self)
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let body = String(decoding: bytes[(end?.upperBound ?? bytes.count)...], as: UTF8.self)
        return Answer(status: status, head: head.lowercased(), body: body)
    }
}
