internal import COpenSSL

/// The two forms of an ECDSA signature on P-256.
enum ECDSASignature {
    /// Turns ASN.1 DER into r and s.
    ///
    /// - Parameter der: ECDSA-Sig-Value (RFC 3279 2.2.3).
    /// - Returns: 64 bytes.
    /// - Throws: The error of OpenSSL.
    static func raw(der: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        try OpenSSLError.check("d2i_ECDSA_SIG") {
            unsafe der.withUnsafeBufferPointer { bytes in
                var cursor = bytes.baseAddress
                guard let signature = unsafe d2i_ECDSA_SIG(nil, &cursor, bytes.count) else { return nil }
                defer { unsafe ECDSA_SIG_free(signature) }
                var raw: [UInt8] = .init(repeating: 0, count: P256.signatureBytes)
                let written = unsafe raw.withUnsafeMutableBufferPointer { out in
                    unsafe (
                        BN_bn2binpad(ECDSA_SIG_get0_r(signature), out.baseAddress, 32),
                        BN_bn2binpad(ECDSA_SIG_get0_s(signature), out.baseAddress?.advanced(by: 32), 32)
                    )
                }
                return written == (32, 32) ? raw : nil
            }
        }
    }

    /// Turns r and s into ASN.1 DER.
    ///
    /// - Parameter raw: 64 bytes.
    /// - Returns: ECDSA-Sig-Value, or nil if the length is another or memory is short.
    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == P256.signatureBytes, let signature = unsafe ECDSA_SIG_new() else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        let isSet = unsafe raw.withUnsafeBufferPointer { bytes in
            let r = unsafe BN_bin2bn(bytes.baseAddress, 32, nil)
            let s = unsafe BN_bin2bn(bytes.baseAddress?.advanced(by: 32), 32, nil)
            // Takes both on success only.
            guard unsafe r != nil && s != nil && ECDSA_SIG_set0(signature, r, s) == 1 else {
                unsafe BN_free(r)
                unsafe BN_free(s)
                return false
            }
            return true
        }
        guard isSet else { return nil }
        let count = unsafe i2d_ECDSA_SIG(signature, nil)
        guard count > 0 else { return nil }
        var der: [UInt8] = .init(repeating: 0, count: Int(count))
        let written = unsafe der.withUnsafeMutableBufferPointer { out in
            var cursor = out.baseAddress
            return unsafe i2d_ECDSA_SIG(signature, &cursor)
        }
        return written == count ? der : nil
    }
}
