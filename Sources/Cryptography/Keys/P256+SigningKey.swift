internal import COpenSSL

extension P256 {
    /// A private key on P-256; prints as `<redacted>`.
    public struct SigningKey: Sendable {
        let handle: KeyHandle

        /// Reads a private key.
        ///
        /// - Parameter pem: PKCS#8 in PEM, as Apple issues it (`.p8`); SEC 1 is read too.
        /// - Throws: What is wrong with it.
        public init(pem: [UInt8]) throws(KeyError) {
            guard try PEMContent(pem) == .privateKey else { throw .publicKey }
            self.handle = try KeyHandle(pem: pem, content: .privateKey)
        }

        /// Reads a private key from a file.
        ///
        /// - Parameter path: The path of a `.p8` file.
        /// - Throws: What is wrong with it.
        public init(path: String) throws(KeyError) {
            try self.init(pem: try KeyFile.read(path: path))
        }

        /// Makes a new key from the system's random numbers.
        ///
        /// - Throws: The error of OpenSSL.
        public init() throws(OpenSSLError) {
            let pointer = unsafe try OpenSSLError.check("EVP_EC_gen") { unsafe COpenSSL_EVP_EC_gen_P256() }
            self.handle = unsafe KeyHandle(takingOwnershipOf: pointer)
        }

        /// Writes the key, a secret, in the form that Apple issues.
        ///
        /// - Returns: PKCS#8 in PEM.
        /// - Throws: The error of OpenSSL.
        public func pem() throws(OpenSSLError) -> String {
            unsafe try handle.pem("PEM_write_bio_PKCS8PrivateKey") { sink, key in
                unsafe PEM_write_bio_PKCS8PrivateKey(sink, key, nil, nil, 0, nil, nil)
            }
        }

        /// The public half.
        public var verifyingKey: VerifyingKey { VerifyingKey(handle: handle) }

        /// Whether the same bytes always get the same signature (RFC 6979), which OpenSSL can do from 3.2 on.
        public static var isDeterministic: Bool { OpenSSL_version_num() >= 0x3020_0000 }

        /// Signs SHA-256 of some bytes.
        ///
        /// - Parameter bytes: What to sign.
        /// - Returns: r and s, 32 bytes each (RFC 7518 3.4).
        /// - Throws: The error of OpenSSL.
        public func sign(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
            let context = unsafe try OpenSSLError.check("EVP_MD_CTX_new") { unsafe EVP_MD_CTX_new() }
            defer { unsafe EVP_MD_CTX_free(context) }
            try OpenSSLError.checkStatus("EVP_DigestSignInit_ex") {
                unsafe initialize(context)
            }
            var der: [UInt8] = .init(repeating: 0, count: 80)
            var count = der.count
            try OpenSSLError.checkStatus("EVP_DigestSign") {
                unsafe EVP_DigestSign(context, &der, &count, bytes, bytes.count)
            }
            return try ECDSASignature.raw(der: Array(der[..<count]))
        }

        /// Sets up a signature, deterministic where this OpenSSL can, so that all replicas make the same token to the byte.
        private func initialize(_ context: OpaquePointer) -> Int32 {
            guard Self.isDeterministic else {
                return unsafe EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, handle.pointer, nil)
            }
            // OSSL_SIGNATURE_PARAM_NONCE_TYPE; older headers have no name for it, and the library decides at run time.
            var nonceType: UInt32 = 1
            return unsafe "nonce-type".withCString { name in
                unsafe withUnsafeMutablePointer(to: &nonceType) { value in
                    let parameters = unsafe [
                        OSSL_PARAM_construct_uint(name, value), OSSL_PARAM_construct_end(),
                    ]
                    return unsafe EVP_DigestSignInit_ex(
                        context,
                        nil,
                        "SHA256",
                        nil,
                        nil,
                        handle.pointer,
                        parameters
                    )
                }
            }
        }
    }
}

extension P256.SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<redacted>`.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
