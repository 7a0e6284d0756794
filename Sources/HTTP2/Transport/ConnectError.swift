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

    /// Makes the error of an attempt of libcurl's.
    ///
    /// - Parameters:
    ///   - code: What it returned.
    ///   - message: Its words.
    ///   - isProxied: It went by way of a proxy.
    ///   - proxyStatus: What the proxy answered to CONNECT; 0 for nothing.
    init(_ code: CURLcode, message: String, isProxied: Bool, proxyStatus: Int) {
        self.message = message
        let isProxyRefusal = isProxied && proxyStatus != 0 && !(200..<300).contains(proxyStatus)
        switch code {
        case _ where isProxyRefusal: kind = .proxy
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: kind = .proxy
        case CURLE_COULDNT_RESOLVE_HOST: kind = .resolve
        // By way of a proxy, it is the proxy that cannot be reached.
        case CURLE_COULDNT_CONNECT: kind = isProxied ? .proxy : .refused
        case CURLE_OPERATION_TIMEDOUT: kind = .timeout
        case CURLE_PEER_FAILED_VERIFICATION: kind = .certificate
        // A server that speaks none of the protocols offered says so by an alert of its own.
        case CURLE_SSL_CONNECT_ERROR: kind = message.contains("no application protocol") ? .alpn : .tls
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            kind = isProxied && proxyStatus == 0 ? .proxy : .tls
        default: kind = .other
        }
    }

    /// The kind and the message.
    public var description: String { "\(kind.rawValue): \(message)" }
}
