/// Base 64 (RFC 4648), in its standard alphabet and in the one for URLs.
public enum Base64 {
    /// Which characters stand for 62 and 63.
    public enum Alphabet: Sendable {
        /// `+` and `/`, padded with `=`.
        case standard
        /// `-` and `_`, not padded, as JSON Web Tokens use it.
        case url
    }

    /// The length of the encoded form.
    ///
    /// - Parameters:
    ///   - count: How many bytes are encoded.
    ///   - alphabet: The standard alphabet pads, the other does not.
    /// - Returns: How many bytes ``encode(_:alphabet:into:)`` writes.
    public static func encodedCount(_ count: Int, alphabet: Alphabet) -> Int {
        alphabet == .standard ? (count + 2) / 3 * 4 : (count * 4 + 2) / 3
    }

    /// Encodes into memory of the caller, without allocating.
    ///
    /// - Parameters:
    ///   - bytes: What to encode.
    ///   - alphabet: Which characters.
    ///   - output: At least ``encodedCount(_:alphabet:)`` bytes.
    /// - Returns: How many bytes were written; 0 if there is no room for all.
    public static func encode(
        _ bytes: UnsafeRawBufferPointer,
        alphabet: Alphabet,
        into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard output.count >= encodedCount(bytes.count, alphabet: alphabet) else { return 0 }
        var (input, out) = (0, 0)
        while input < bytes.count {
            let left = bytes.count - input
            let second: UInt32 = unsafe left > 1 ? UInt32(bytes[input + 1]) << 8 : 0
            let third: UInt32 = unsafe left > 2 ? UInt32(bytes[input + 2]) : 0
            let group = unsafe UInt32(bytes[input]) << 16 | second | third
            for index in 0..<min(4, left + 1) {
                let digit = UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * index) & 63)
                unsafe output[out] = character(digit, alphabet)
                out += 1
            }
            input += 3
        }
        while alphabet == .standard, out & 3 != 0 {
            unsafe output[out] = UInt8(ascii: "=")
            out += 1
        }
        return out
    }

    /// Encodes bytes.
    ///
    /// - Parameters:
    ///   - bytes: What to encode.
    ///   - alphabet: Which characters.
    /// - Returns: ASCII.
    public static func encode(_ bytes: [UInt8], alphabet: Alphabet) -> [UInt8] {
        var output: [UInt8] = .init(repeating: 0, count: encodedCount(bytes.count, alphabet: alphabet))
        let count = unsafe bytes.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { unsafe encode(input, alphabet: alphabet, into: $0) }
        }
        assert(count == output.count)
        return output
    }

    /// Decodes either alphabet, padded or not.
    ///
    /// - Parameter text: ASCII, without white space.
    /// - Returns: The bytes, or nil where a character, the length, the padding or the unused bits are wrong.
    public static func decode(_ text: [UInt8]) -> [UInt8]? {
        var digits = text[...]
        if digits.last == UInt8(ascii: "="), text.count & 3 == 0 {
            digits.removeLast()
            if digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        guard digits.count & 3 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        for character in digits {
            guard let value = digit(character) else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= 1 << bitCount - 1
            }
        }
        // Two texts must not mean the same bytes.
        return bits == 0 ? bytes : nil
    }

    private static func character(_ digit: UInt8, _ alphabet: Alphabet) -> UInt8 {
        switch digit {
        case 0..<26: UInt8(ascii: "A") + digit
        case 26..<52: UInt8(ascii: "a") + digit - 26
        case 52..<62: UInt8(ascii: "0") + digit - 52
        case 62: alphabet == .url ? UInt8(ascii: "-") : UInt8(ascii: "+")
        default: alphabet == .url ? UInt8(ascii: "_") : UInt8(ascii: "/")
        }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
