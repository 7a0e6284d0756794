internal import COpenSSL

/// Signatures of ES256: ECDSA on the curve P-256 with SHA-256 (RFC 7518 3.4).
public enum P256 {
    /// The length of a signature as r and s, 32 bytes each.
    public static let signatureBytes = 64
}

/// Owns one key of OpenSSL.
///
/// Not changed after it is made, and OpenSSL allows an unchanged key to be used by several threads, each with a
/// context of its own.
/// See <https://docs.openssl.org/3.0/man3/EVP_PKEY_new/>.
@safe
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(takingOwnershipOf pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Reads a key on P-256 from PEM.
    ///
    /// - Parameters:
    ///   - pem: The bytes of the file.
    ///   - content: What the file says that it holds.
    /// - Throws: What is wrong with it.
    convenience init(pem: [UInt8], content: PEMContent) throws(KeyError) {
        let pointer: OpaquePointer
        do {
            unsafe pointer = try Self.read(pem: pem, content: content)
        } catch {
            throw .malformed(error)
        }
        unsafe self.init(takingOwnershipOf: pointer)
        guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1 else {
            let name = unsafe EVP_PKEY_get0_type_name(pointer).map { unsafe String(cString: $0) }
            throw .otherAlgorithm(name: name ?? "unknown")
        }
        let curve = curveName
        guard curve == "prime256v1" || curve == "P-256" else { throw .otherCurve(name: curve) }
        guard content == .privateKey else { return }
        do {
            try checkHalves()
        } catch {
            throw .malformed(error)
        }
    }

    /// Checks that the halves of a private key belong together.
    ///
    /// A letter changed in the file may leave a key that is well-formed, and whose signatures nobody can verify.
    private func checkHalves() throws(OpenSSLError) {
        try OpenSSLError.checkStatus("EVP_PKEY_pairwise_check") {
            guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return 0 }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            return unsafe EVP_PKEY_pairwise_check(context)
        }
    }

    private static func read(pem: [UInt8], content: PEMContent) throws(OpenSSLError) -> OpaquePointer {
        unsafe try OpenSSLError.check(content == .privateKey ? "PEM_read_bio_PrivateKey" : "PEM_read_bio_PUBKEY") {
            unsafe pem.withUnsafeBytes { bytes in
                guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
                // The return code only says that there was something to free.
                defer { _ = unsafe BIO_free(source) }
                return switch content {
                case .privateKey: unsafe COpenSSL_PEM_read_private(source)
                case .publicKey: unsafe COpenSSL_PEM_read_public(source)
                }
            }
        }
    }

    private var curveName: String {
        var name: [CChar] = .init(repeating: 0, count: 80)
        var length = 0
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return "unknown" }
        return String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes the key as PEM.
    ///
    /// - Parameters:
    ///   - call: The name of the call, for the error.
    ///   - write: Writes to the memory BIO; 1 means success.
    /// - Returns: The text.
    /// - Throws: The error of OpenSSL.
    func pem(_ call: StaticString, _ write: (OpaquePointer, OpaquePointer) -> Int32) throws(OpenSSLError) -> String {
        unsafe try pemText(call) { sink in unsafe write(sink, pointer) }
    }
}

/// The text that a call writes to a memory BIO.
///
/// - Parameters:
///   - call: The name of the call, for the error.
///   - write: Writes to the memory BIO; 1 means success.
/// - Returns: The text.
/// - Throws: The error of OpenSSL.
func pemText(_ call: StaticString, _ write: (OpaquePointer) -> Int32) throws(OpenSSLError) -> String {
    try OpenSSLError.check(call) {
        guard let sink = unsafe BIO_new(BIO_s_mem()) else { return nil }
        // The return code only says that there was something to free.
        defer { _ = unsafe BIO_free(sink) }
        guard unsafe write(sink) == 1 else { return nil }
        var data: UnsafeMutablePointer<CChar>?
        let count = unsafe COpenSSL_BIO_get_mem_data(sink, &data)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: data, count: max(0, count)), as: UTF8.self)
    }
}
