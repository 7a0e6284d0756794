internal import CCurl
internal import COpenSSL
internal import Glibc

/// An open TLS connection with HTTP/2 agreed on: the owner of libcurl's handle and its socket.
///
/// Used by one thread at a time: the connector's until it is handed over, its connection's from then on; hence
/// `@unchecked Sendable`. libcurl opens it in `CURLOPT_CONNECT_ONLY` mode; see
/// <https://curl.se/libcurl/c/CURLOPT_CONNECT_ONLY.html>.
@safe
public final class Transport: @unchecked Sendable {
    /// What a read or a write came to.
    enum Result: Equatable {
        /// So many bytes moved.
        case moved(Int)
        /// Nothing for now.
        case wouldBlock
        /// The peer has closed.
        case ended
        /// The connection is broken, with libcurl's words.
        case failed(String)
    }

    private let handle: UnsafeMutableRawPointer
    private let agreed: AgreedProtocol
    /// The socket, to wait on; closed with this object.
    let fileDescriptor: Int32

    /// Opens a connection; blocks until it is open or the time is over.
    ///
    /// - Parameters:
    ///   - endpoint: Where to.
    ///   - timeoutMillis: For name look-up, connection, proxy and handshake together.
    /// - Throws: ``ConnectError``.
    init(to endpoint: Endpoint, timeoutMillis: Int) throws(ConnectError) {
        guard Transport.isLibraryReady, let handle = unsafe curl_easy_init() else {
            throw ConnectError(kind: .other, message: "libcurl could not be initialised")
        }
        let agreed = AgreedProtocol()
        var text: [CChar] = .init(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = unsafe text.withUnsafeMutableBufferPointer { buffer in
            unsafe Transport.configure(handle, endpoint, timeoutMillis, agreed, errors: buffer.baseAddress)
            defer { unsafe _ = CCurl_easy_setopt_pointer(handle, CURLOPT_ERRORBUFFER, nil) }
            return unsafe curl_easy_perform(handle)
        }
        var socket: curl_socket_t = -1
        guard code == CURLE_OK, unsafe CCurl_easy_getinfo_socket(handle, &socket) == CURLE_OK, socket >= 0 else {
            let detail = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let message = unsafe detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
            var proxyStatus = 0
            _ = unsafe CCurl_easy_getinfo_long(handle, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
            unsafe Transport.close(handle, agreed)
            throw ConnectError(code, message: message, isProxied: endpoint.proxy != nil, proxyStatus: proxyStatus)
        }
        guard agreed.isHTTP2 else {
            unsafe Transport.close(handle, agreed)
            throw ConnectError(kind: .alpn, message: "\(endpoint) does not offer HTTP/2 (ALPN h2)")
        }
        unsafe self.handle = handle
        self.agreed = agreed
        fileDescriptor = socket
    }

    deinit { unsafe Transport.close(handle, agreed) }

    /// Closes a connection: libcurl reads once more, and a session ticket that it finds there calls `handshakeInfo`.
    private static func close(_ handle: UnsafeMutableRawPointer, _ agreed: AgreedProtocol) {
        withExtendedLifetime(agreed) { unsafe curl_easy_cleanup(handle) }
    }

    /// libcurl's process-wide set-up, made once.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    private static func configure(
        _ handle: UnsafeMutableRawPointer,
        _ endpoint: Endpoint,
        _ timeoutMillis: Int,
        _ agreed: AgreedProtocol,
        errors: UnsafeMutablePointer<CChar>?
    ) {
        let long = { (option: CURLoption, value: Int) in _ = unsafe CCurl_easy_setopt_long(handle, option, value) }
        let string = { (option: CURLoption, value: String) in
            _ = unsafe CCurl_easy_setopt_string(handle, option, value)
        }
        // Each option is known to libcurl 7.88, so setting one fails only for want of memory, and then performing does.
        string(CURLOPT_URL, "https://\(endpoint)/")
        long(CURLOPT_CONNECT_ONLY, 1)
        long(CURLOPT_NOSIGNAL, 1)
        long(CURLOPT_CONNECTTIMEOUT_MS, timeoutMillis)
        long(CURLOPT_TIMEOUT_MS, timeoutMillis)
        long(CURLOPT_DNS_CACHE_TIMEOUT, 0)
        long(CURLOPT_TCP_KEEPALIVE, 1)
        long(CURLOPT_SSL_VERIFYPEER, 1)
        long(CURLOPT_SSL_VERIFYHOST, 2)
        // Offering h2 is left to the callback: newer libcurls put their own HTTP/2 between us and the socket otherwise.
        long(CURLOPT_SSL_ENABLE_ALPN, 0)
        long(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        long(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let caFile = endpoint.caFile { string(CURLOPT_CAINFO, caFile) }
        // An empty name also ignores proxies of the environment, which libcurl would follow.
        string(CURLOPT_PROXY, endpoint.proxy ?? "")
        if endpoint.proxy != nil { long(CURLOPT_HTTPPROXYTUNNEL, 1) }
        _ = unsafe CCurl_easy_setopt_ssl_ctx(handle, prepareContext)
        // Not retained: the transport under construction holds it longer than libcurl the context.
        let user = unsafe Unmanaged.passUnretained(agreed).toOpaque()
        _ = unsafe CCurl_easy_setopt_pointer(handle, CURLOPT_SSL_CTX_DATA, user)
        _ = unsafe CCurl_easy_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errors)
    }

    /// Writes what the socket takes.
    ///
    /// After `wouldBlock` the same bytes, or more, must be offered again.
    func write(_ bytes: UnsafeRawBufferPointer) -> Result {
        var count = 0
        return unsafe result(curl_easy_send(handle, bytes.baseAddress, bytes.count, &count), count)
    }

    /// Reads what is there.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result {
        var count = 0
        let code = unsafe curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
        if code == CURLE_OK && count == 0 { return .ended }
        return result(code, count)
    }

    private func result(_ code: CURLcode, _ count: Int) -> Result {
        switch code {
        case CURLE_OK: .moved(count)
        case CURLE_AGAIN: .wouldBlock
        default: unsafe .failed(String(cString: curl_easy_strerror(code)))
        }
    }
}

/// What ALPN came to; written by OpenSSL's callback during the handshake, on the thread that performs it.
private final class AgreedProtocol {
    var isHTTP2 = false
}

/// Offers `h2`, and has the handshake's end noted: libcurl does not tell the protocol in CONNECT_ONLY mode.
private func prepareContext(
    _ handle: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?,
    _ user: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let context = unsafe context, let user = unsafe user else { return CURLE_SSL_CONNECT_ERROR }
    let pointer = OpaquePointer(context)
    let offer: InlineArray<3, UInt8> = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]
    let code = unsafe offer.span.withUnsafeBufferPointer { bytes in
        unsafe SSL_CTX_set_alpn_protos(pointer, bytes.baseAddress, UInt32(bytes.count))
    }
    guard code == 0 else { return CURLE_SSL_CONNECT_ERROR }
    unsafe COpenSSL_CTX_set_partial_writes(pointer)
    unsafe COpenSSL_CTX_set_app_data(pointer, user)
    unsafe SSL_CTX_set_info_callback(pointer, handshakeInfo)
    return CURLE_OK
}

private func handshakeInfo(_ ssl: OpaquePointer?, _ event: Int32, _ value: Int32) {
    guard event & SSL_CB_HANDSHAKE_DONE != 0, let ssl = unsafe ssl,
        let user = unsafe COpenSSL_context_app_data(ssl)
    else { return }
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &name, &count)
    let agreed = unsafe Unmanaged<AgreedProtocol>.fromOpaque(user).takeUnretainedValue()
    if let name = unsafe name, count == 2 {
        agreed.isHTTP2 = unsafe name[0] == UInt8(ascii: "h") && name[1] == UInt8(ascii: "2")
    }
}
