internal import COpenSSL

extension P256 {
    /// A public key on P-256.
    public struct VerifyingKey: Sendable {
        private let handle: KeyHandle

        init(handle: KeyHandle) {
            self.handle = handle
        }

        /// Reads a public key, or the public half of a private one.
        ///
        /// - Parameter pem: A public key in PEM (`-----BEGIN PUBLIC KEY-----`), or a `.p8` file.
        /// - Throws: What is wrong with it.
        public init(pem: [UInt8]) throws(KeyError) {
            self.handle = try KeyHandle(pem: pem, content: try PEMContent(pem))
        }

        /// Reads a public key from a file.
        ///
        /// - Parameter path: The path of a public key in PEM, or of a `.p8` file.
        /// - Throws: What is wrong with it.
        public init(path: String) throws(KeyError) {
            try self.init(pem: try KeyFile.read(path: path))
        }

        /// Writes the public key.
        ///
        /// - Returns: SubjectPublicKeyInfo in PEM.
        /// - Throws: The error of OpenSSL.
        public func pem() throws(OpenSSLError) -> String {
            unsafe try handle.pem("PEM_write_bio_PUBKEY") { sink, key in unsafe PEM_write_bio_PUBKEY(sink, key) }
        }

        /// Checks a signature over SHA-256 of some bytes.
        ///
        /// - Parameters:
        ///   - signature: r and s, 32 bytes each, or ASN.1 DER; Apple accepts both.
        ///   - bytes: What was signed.
        /// - Returns: Whether it is the signature of this key over these bytes.
        public func isValid(signature: [UInt8], of bytes: [UInt8]) -> Bool {
            if signature.count == P256.signatureBytes, let der = ECDSASignature.der(raw: signature),
                verify(der: der, of: bytes)
            {
                return true
            }
            return signature.first == 0x30 && verify(der: signature, of: bytes)
        }

        private func verify(der: [UInt8], of bytes: [UInt8]) -> Bool {
            ERR_clear_error()
            defer { ERR_clear_error() }
            guard let context = unsafe EVP_MD_CTX_new() else { return false }
            defer { unsafe EVP_MD_CTX_free(context) }
            guard unsafe EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, handle.pointer, nil) == 1 else {
                return false
            }
            return unsafe EVP_DigestVerify(context, der, der.count, bytes, bytes.count) == 1
        }
    }
}

extension P256.VerifyingKey: Equatable {
    /// Whether both are the same point.
    public static func == (left: Self, right: Self) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return unsafe EVP_PKEY_eq(left.handle.pointer, right.handle.pointer) == 1
    }
}

extension P256.VerifyingKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<redacted>`: no secret, but made from the same handle as one.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
