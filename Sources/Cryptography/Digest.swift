internal import COpenSSL

/// A SHA-256 digest, 32 bytes.
public typealias SHA256Digest = InlineArray<32, UInt8>

/// Digests without a look-up by name, cheap enough for one a push.
public enum Digest {
    /// SHA-256 of some bytes (FIPS 180-4).
    public static func sha256(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        var out = SHA256Digest(repeating: 0)
        var span = out.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { buffer in
            unsafe COpenSSL_SHA256_one(bytes.baseAddress, bytes.count, buffer.baseAddress)
        }
        return out
    }

    /// UUID version 5 (RFC 9562): SHA-1 over a namespace and a name.
    ///
    /// - Returns: The 16 bytes, version and variant set.
    public static func uuid5(namespace: InlineArray<16, UInt8>, name: UnsafeRawBufferPointer) -> InlineArray<16, UInt8>
    {
        var digest = InlineArray<20, UInt8>(repeating: 0)
        var span = digest.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { out in
            unsafe namespace.span.withUnsafeBufferPointer { prefix in
                unsafe COpenSSL_SHA1_two(prefix.baseAddress, 16, name.baseAddress, name.count, out.baseAddress)
            }
        }
        var uuid = InlineArray<16, UInt8>(repeating: 0)
        for index in 0..<16 { uuid[index] = digest[index] }
        uuid[6] = uuid[6] & 0x0F | 0x50
        uuid[8] = uuid[8] & 0x3F | 0x80
        return uuid
    }
}
