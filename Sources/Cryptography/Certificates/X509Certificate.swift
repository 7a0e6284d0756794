internal import COpenSSL

/// Owns one X.509 certificate while it is made.
///
/// See <https://docs.openssl.org/3.0/man3/X509_new/>.
@safe
struct X509Certificate: ~Copyable {
    private let pointer: OpaquePointer

    /// Begins an empty certificate.
    ///
    /// - Throws: The error of OpenSSL.
    init() throws(OpenSSLError) {
        unsafe pointer = try OpenSSLError.check("X509_new") { unsafe X509_new() }
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Says whose it is: version 3, a random serial number, subject, public key and validity.
    ///
    /// - Parameters:
    ///   - commonName: The subject.
    ///   - key: The key that it speaks of.
    ///   - days: How long it is valid.
    ///   - nowSeconds: The time, in seconds since 1970; it is valid from an hour before.
    /// - Throws: The error of OpenSSL.
    func describe(commonName: String, key: P256.SigningKey, days: Int, nowSeconds: Int64) throws(OpenSSLError) {
        // X509_VERSION_3 is 2.
        try OpenSSLError.checkStatus("X509_set_version") { unsafe X509_set_version(pointer, 2) }
        try OpenSSLError.checkStatus("X509_set_serialNumber") {
            guard let number = unsafe BN_new() else { return 0 }
            defer { unsafe BN_free(number) }
            // 127 bits: unguessable, and positive in 20 bytes as RFC 5280 4.1.2.2 asks.
            guard unsafe BN_rand(number, 127, 0, 0) == 1 else { return 0 }
            return unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) == nil ? 0 : 1
        }
        try OpenSSLError.checkStatus("X509_NAME_add_entry_by_txt") {
            unsafe X509_NAME_add_entry_by_txt(
                X509_get_subject_name(pointer),
                "CN",
                MBSTRING_UTF8,
                commonName,
                -1,
                -1,
                0
            )
        }
        try OpenSSLError.checkStatus("X509_set_pubkey") { unsafe X509_set_pubkey(pointer, key.handle.pointer) }
        try OpenSSLError.checkStatus("ASN1_TIME_set") {
            let from = time_t(nowSeconds) - 3_600
            let isSet =
                unsafe (ASN1_TIME_set(X509_getm_notBefore(pointer), from) != nil
                && ASN1_TIME_set(X509_getm_notAfter(pointer), from + days * 86_400) != nil)
            return isSet ? 1 : 0
        }
    }

    /// Names the issuer.
    ///
    /// - Parameter issuer: The authority, or the certificate itself.
    /// - Throws: The error of OpenSSL.
    func setIssuer(_ issuer: borrowing X509Certificate) throws(OpenSSLError) {
        let name = unsafe X509_get_subject_name(issuer.pointer)
        try OpenSSLError.checkStatus("X509_set_issuer_name") { unsafe X509_set_issuer_name(pointer, name) }
    }

    /// Adds an extension.
    ///
    /// - Parameters:
    ///   - kind: Its NID.
    ///   - value: Its value as openssl.cnf writes it.
    ///   - issuer: The authority, or the certificate itself.
    /// - Throws: The error of OpenSSL.
    func add(_ kind: Int32, _ value: String, issuer: borrowing X509Certificate) throws(OpenSSLError) {
        let authority = unsafe issuer.pointer
        try OpenSSLError.checkStatus("X509_add_ext") {
            unsafe COpenSSL_X509_add_extension(authority, pointer, kind, value)
        }
    }

    /// Signs, which ends the making.
    ///
    /// - Parameter key: The key of the issuer.
    /// - Throws: The error of OpenSSL.
    func sign(with key: P256.SigningKey) throws(OpenSSLError) {
        // Returns the length of the signature.
        try OpenSSLError.checkStatus("X509_sign") {
            unsafe X509_sign(pointer, key.handle.pointer, EVP_sha256()) > 0 ? 1 : 0
        }
    }

    /// Writes the certificate.
    ///
    /// - Returns: PEM.
    /// - Throws: The error of OpenSSL.
    func pem() throws(OpenSSLError) -> String {
        unsafe try pemText("PEM_write_bio_X509") { sink in unsafe PEM_write_bio_X509(sink, pointer) }
    }
}
