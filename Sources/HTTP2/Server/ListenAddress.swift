internal import EventLoop
internal import Glibc

/// A numeric address and a port to listen on, such as `127.0.0.1:2197` or `[::1]:0`.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address without brackets.
    public let host: String
    /// 0 lets the system choose.
    public let port: UInt16

    /// Makes an address.
    ///
    /// - Parameters:
    ///   - host: An IPv4 or IPv6 address, or `localhost` for 127.0.0.1.
    ///   - port: 0 lets the system choose.
    public init(host: String, port: UInt16) {
        self.host = host == "localhost" ? "127.0.0.1" : host
        self.port = port
    }

    /// Reads `HOST:PORT`, an IPv6 address in brackets; nil for any other text.
    ///
    /// - Parameter text: The text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// `HOST:PORT`, an IPv6 address in brackets.
    public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    var isIPv6: Bool { host.contains(":") }

    func bind(_ descriptor: Int32) throws(SystemError) {
        let bound: Int32
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else {
                throw SystemError(call: "inet_pton", code: EINVAL)
            }
            bound = unsafe withUnsafeBytes(of: &address) { bytes in unsafe Self.bind(descriptor, bytes) }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
                throw SystemError(call: "inet_pton", code: EINVAL)
            }
            bound = unsafe withUnsafeBytes(of: &address) { bytes in unsafe Self.bind(descriptor, bytes) }
        }
        guard bound == 0 else { throw SystemError(lastOf: "bind") }
    }

    private static func bind(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe Glibc.bind(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }

    static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
        var address = sockaddr_in6()
        var count = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = unsafe withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &count)
        }
        guard result == 0 else { throw SystemError(lastOf: "getsockname") }
        // The port stands at the same place in both forms.
        return UInt16(bigEndian: address.sin6_port)
    }
}
