/// A host and a port.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address; an IPv6 address without its brackets.
    public let host: String
    /// The port.
    public let port: UInt16

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port` or `[v6]:port`.
    ///
    /// - Parameters:
    ///   - text: What was written.
    ///   - portMin: The least port; 0 where a free one may be picked.
    public init?(_ text: String, portMin: UInt16 = 1) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port >= portMin
        else { return nil }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/@".utf8.contains($0) }) else {
            return nil
        }
        self.host = String(host)
        self.port = port
    }

    /// The form that ``init(_:portMin:)`` reads.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
