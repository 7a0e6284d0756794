import COpenSSL
import Glibc

/// A TLS server without HTTP/2: it agrees on no protocol, or refuses all but one.
enum PlainTLSPeer {
    enum Protocols: Sendable {
        case none
        case only(String)
    }

    /// Performs the handshake and waits for the client's end.
    static func serve(_ socket: Int32, _ certificate: TestCertificate, _ protocols: Protocols) {
        defer { close(socket) }
        let flags = fcntl(socket, F_GETFL)
        _ = fcntl(socket, F_SETFL, flags & ~O_NONBLOCK)
        guard let context = SSL_CTX_new(TLS_server_method()) else { return }
        defer { SSL_CTX_free(context) }
        SSL_CTX_use_certificate_chain_file(context, certificate.certificate)
        SSL_CTX_use_PrivateKey_file(context, certificate.key, SSL_FILETYPE_PEM)
        // Refuses with the alert no_application_protocol, whatever the one protocol is: h2 it is not.
        if case .only = protocols {
            SSL_CTX_set_alpn_select_cb(context, { _, _, _, _, _, _ in SSL_TLSEXT_ERR_ALERT_FATAL }, nil)
        }
        guard let ssl = SSL_new(context) else { return }
        defer { SSL_free(ssl) }
        SSL_set_fd(ssl, socket)
        guard SSL_accept(ssl) == 1 else { return }
        var byte: UInt8 = 0
        while SSL_read(ssl, &byte, 1) > 0 {}
    }
}
