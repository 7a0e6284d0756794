/// Device tokens as text: hexadecimal digits, of a length that Apple says not to make assumptions about.
public enum TokenText {
    /// The most digits that a token may have here; Apple's tokens have 64 today.
    public static let digitsMax = 512

    /// Appends a token in lower case.
    ///
    /// - Parameters:
    ///   - token: The digits as someone wrote them.
    ///   - buffer: Where to; unchanged when the token is malformed.
    /// - Returns: False when it is not an even number of hexadecimal digits, from 2 to ``digitsMax``.
    public static func appendNormalized(_ token: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) -> Bool {
        guard token.count >= 2 && token.count <= digitsMax && token.count % 2 == 0 else { return false }
        let start = buffer.count
        buffer.reserve(token.count)
        for index in 0..<token.count {
            let byte = unsafe token[index]
            guard isDigit(byte) else {
                buffer.truncate(to: start)
                return false
            }
            buffer.put(byte | 0x20)
        }
        return true
    }

    /// Whether a token is well-formed and in lower case already, as the key of a push record must be.
    public static func isNormalized(_ token: UnsafeRawBufferPointer) -> Bool {
        guard token.count >= 2 && token.count <= digitsMax && token.count % 2 == 0 else { return false }
        for index in 0..<token.count {
            let byte = unsafe token[index]
            if !isDigit(byte) || byte & 0x60 == 0x40 { return false }
        }
        return true
    }

    /// Whether a byte is one of `0-9a-fA-F`; digits have the bit 0x20 set already, so `| 0x20` is lower case for all.
    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool {
        (byte &- 0x30) < 10 || ((byte | 0x20) &- 0x61) < 6
    }
}
