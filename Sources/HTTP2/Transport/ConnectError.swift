internal import CCurl

/// Why a connection could not be opened.
public struct ConnectError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What failed.
    public enum Kind: String, Sendable {
        /// The host's name has no address.
        case resolve
        /// No address answered, or all refused.
        case refused
        /// It took too long.
        case timeout
        /// The TLS handshake.
        case tls
        /// The server's certificate: not trusted, expired, or for another host.
        case certificate
        /// The server does not speak HTTP/2.
        case alpn
        /// The proxy.
        case proxy
        /// Anything else, such as a file of authorities that cannot be read.
        case other
    }

    /// What failed.
    public let kind: Kind
    /// What happened, in words; holds no secret.
    public let message: String

    /// Makes an error.
    public init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    init(_ code: CURLcode, message: String) {
        self.message = message
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: kind = .resolve
        case CURLE_COULDNT_CONNECT: kind = .refused
        case CURLE_OPERATION_TIMEDOUT: kind = .timeout
        case CURLE_PEER_FAILED_VERIFICATION: kind = .certificate
        case CURLE_SSL_CONNECT_ERROR: kind = .tls
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: kind = .proxy
        // How libcurl reports that a proxy refuses CONNECT.
        case CURLE_RECV_ERROR: kind = message.contains("CONNECT") ? .proxy : .tls
        default: kind = .other
        }
    }

    /// The kind and the message.
    public var description: String { "\(kind.rawValue): \(message)" }
}
