internal import COpenSSL

/// Why a certificate or its key cannot be served.
public struct ServerTLSError: Error, Equatable, CustomStringConvertible {
    /// What could not be done, with the path that it was about.
    public let action: String
    /// OpenSSL's reason; empty where it gave none.
    public let reason: String

    /// The action and the reason.
    public var description: String { reason.isEmpty ? action : "\(action): \(reason)" }

    init(lastOf action: String) {
        self.action = action
        let code = ERR_peek_last_error()
        self.reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? ""
        ERR_clear_error()
    }
}

/// The certificate and the rules of a TLS server that speaks HTTP/2.
///
/// It takes TLS 1.2 and 1.3, chooses `h2` where the client offers protocols (ALPN), and refuses a client that offers
/// only others. A client that offers none is taken: it speaks HTTP/2 by prior knowledge, as some providers do.
/// See <https://docs.openssl.org/3.0/man3/SSL_CTX_new/>.
@safe
public final class ServerTLS: @unchecked Sendable {
    // Not changed after `init`; OpenSSL allows several threads to make sessions from one context.
    private let context: OpaquePointer

    /// Reads the certificate and its key.
    ///
    /// - Parameters:
    ///   - certificatePath: The certificate and what else of its chain is to be sent, in PEM.
    ///   - keyPath: Its private key in PEM.
    /// - Throws: ``ServerTLSError`` where a file is missing, is no PEM, or the two do not match.
    public init(certificatePath: String, keyPath: String) throws(ServerTLSError) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
            throw ServerTLSError(lastOf: "make a TLS context")
        }
        unsafe self.context = context
        guard unsafe COpenSSL_server_defaults(context) == 1 else {
            throw ServerTLSError(lastOf: "set up TLS 1.2 and 1.3")
        }
        guard unsafe SSL_CTX_use_certificate_chain_file(context, certificatePath) == 1 else {
            throw ServerTLSError(lastOf: "read the certificate \(certificatePath)")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(context, keyPath, SSL_FILETYPE_PEM) == 1 else {
            throw ServerTLSError(lastOf: "read the key \(keyPath)")
        }
        unsafe SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// Makes the session of one accepted socket, which it does not own.
    ///
    /// - Parameter fileDescriptor: A connected, non-blocking socket.
    /// - Returns: The session, owned by the caller, or nil where memory is short.
    func makeSession(on fileDescriptor: Int32) -> OpaquePointer? {
        guard let session = unsafe SSL_new(context) else { return nil }
        guard unsafe SSL_set_fd(session, fileDescriptor) == 1 else {
            unsafe SSL_free(session)
            return nil
        }
        unsafe SSL_set_accept_state(session)
        return unsafe session
    }
}

/// Chooses `h2` from the client's list: names, each behind its length.
private func selectProtocol(
    _ session: OpaquePointer?,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let chosen = unsafe chosen, let chosenCount = unsafe chosenCount, let offered = unsafe offered else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var position = 0
    while position < list.count {
        let count = unsafe Int(list[position])
        let start = position + 1
        guard start + count <= list.count else { break }
        if count == 2, unsafe list[start] == UInt8(ascii: "h"), unsafe list[start + 1] == UInt8(ascii: "2") {
            unsafe chosen.pointee = offered.advanced(by: start)
            unsafe chosenCount.pointee = 2
            return SSL_TLSEXT_ERR_OK
        }
        position = start + count
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
