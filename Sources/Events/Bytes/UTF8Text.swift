/// Checks of bytes that claim to be UTF-8 text.
public enum UTF8Text {
    /// What stands at one place of a text.
    enum Step: Equatable {
        /// A well-formed character of so many bytes.
        case valid(Int)

        /// So many bytes that are no character; one U+FFFD stands for them all (Unicode 16, section 3.9).
        case invalid(Int)
    }

    /// Looks at the character that begins at an offset.
    ///
    /// - Parameters:
    ///   - offset: An offset inside the text.
    ///   - bytes: The text.
    /// - Returns: What stands there, never of length 0.
    static func step(at offset: Int, of bytes: UnsafeRawBufferPointer) -> Step {
        let first = unsafe bytes[offset]
        let length: Int
        var lowest: UInt8 = 0x80
        var highest: UInt8 = 0xBF
        switch first {
        case 0x00...0x7F: return .valid(1)
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if first == 0xE0 { lowest = 0xA0 }
            if first == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            length = 4
            if first == 0xF0 { lowest = 0x90 }
            if first == 0xF4 { highest = 0x8F }
        default: return .invalid(1)
        }
        var index = 1
        while index < length {
            guard offset &+ index < bytes.count else { return .invalid(index) }
            let next = unsafe bytes[offset &+ index]
            guard next >= lowest && next <= highest else { return .invalid(index) }
            lowest = 0x80
            highest = 0xBF
            index &+= 1
        }
        return .valid(length)
    }

    /// Whether bytes are well-formed UTF-8 without control characters (U+0000-U+001F, U+007F-U+009F).
    public static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index < bytes.count {
            if index &+ 8 <= bytes.count {
                // Eight bytes at once while all are printable ASCII: none below 0x20, none 0x7F or above.
                let word = unsafe bytes.word(at: index)
                if (word &+ ones | (word &- ones &* 0x20) & ~word | word) & (ones &* 0x80) == 0 {
                    index &+= 8
                    continue
                }
            }
            let byte = unsafe bytes[index]
            if byte < 0x80 {
                guard byte >= 0x20 && byte != 0x7F else { return false }
                index &+= 1
                continue
            }
            guard case .valid(let length) = unsafe step(at: index, of: bytes) else { return false }
            if unsafe byte == 0xC2 && bytes[index &+ 1] < 0xA0 { return false }
            index &+= length
        }
        return true
    }

    /// Whether bytes are printable ASCII, space included, so that they can stand in an HTTP header.
    public static func isPrintableASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            if byte < 0x20 || byte > 0x7E { return false }
        }
        return true
    }
}
