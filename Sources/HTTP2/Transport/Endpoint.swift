/// Where a connection goes, and how it is trusted.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// A PEM file of the authorities to trust in the place of the system's, such as a simulator's.
    public var caFile: String?
    /// An HTTP proxy that is asked to CONNECT, as `http://host:port`.
    public var proxy: String?

    /// Names an endpoint.
    public init(host: String, port: UInt16, caFile: String? = nil, proxy: String? = nil) {
        self.host = host
        self.port = port
        self.caFile = caFile
        self.proxy = proxy
    }

    /// `host:port`, with an IPv6 address in brackets.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
