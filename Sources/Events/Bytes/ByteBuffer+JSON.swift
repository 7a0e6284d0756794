extension ByteBuffer {
    /// Appends a text as a JSON string with its quotes: what must be escaped is, the rest stays UTF-8.
    ///
    /// What is not UTF-8 becomes U+FFFD, so that the result is always valid JSON.
    ///
    /// - Parameter text: Bytes from anywhere.
    @inline(__always)
    public mutating func append(jsonString text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        unsafe append(jsonEscaped: text)
        append(UInt8(ascii: "\""))
    }

    /// Appends what stands between the quotes of ``append(jsonString:)``.
    public mutating func append(jsonEscaped text: UnsafeRawBufferPointer) {
        var start = 0
        var index = 0
        while index < text.count {
            index = unsafe Self.firstSpecial(in: text, from: index)
            guard index < text.count else { break }
            let byte = unsafe text[index]
            if byte >= 0x80, case .valid(let length) = unsafe UTF8Text.step(at: index, of: text) {
                index &+= length
                continue
            }
            unsafe append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
            if byte < 0x80 {
                appendEscape(of: byte)
                index &+= 1
            } else if case .invalid(let length) = unsafe UTF8Text.step(at: index, of: text) {
                append("\u{FFFD}")
                index &+= length
            }
            start = index
        }
        if start < text.count { unsafe append(UnsafeRawBufferPointer(rebasing: text[start..<text.count])) }
    }

    /// Finds the first byte that is no plain ASCII, from an offset on; the text's length when there is none.
    @inline(__always)
    private static func firstSpecial(in text: UnsafeRawBufferPointer, from offset: Int) -> Int {
        var index = offset
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // Eight bytes at once: below 0x20, a quote, a backslash or above 0x7F (Hacker's Delight, "has zero byte").
        while index &+ 8 <= text.count {
            let word = unsafe text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            let found =
                ((word &- (ones &* 0x20)) & ~word) | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
                | word
            if found & highs != 0 { break }
            index &+= 8
        }
        while index < text.count {
            let byte = unsafe text[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x80 { return index }
            index &+= 1
        }
        return index
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        default:
            append("\\u00")
            append(Self.hexDigit(byte >> 4))
            append(Self.hexDigit(byte & 15))
        }
    }
}

extension ByteBuffer {
    /// Appends a text as a JSON string with its quotes; not for the hot path.
    public mutating func append(jsonString text: String) {
        var text = text
        text.withUTF8 { unsafe append(jsonString: UnsafeRawBufferPointer($0)) }
    }
}
