/// Device tokens as text: hexadecimal digits, of a length that Apple says not to make assumptions about.
public enum TokenText {
    /// The most digits that a token may have here; Apple's tokens have 64 today.
    public static let digitsMax = 512

    /// Whether a token is an even number of hexadecimal digits, from 2 to ``digitsMax``.
    @inline(__always)
    public static func isWellFormed(_ token: UnsafeRawBufferPointer?) -> Bool {
        guard let token = unsafe token, isLengthAllowed(token.count) else { return false }
        var index = 0
        while index &+ 8 <= token.count {
            if unsafe !areDigits(token.word(at: index)) { return false }
            index &+= 8
        }
        return unsafe index == token.count || areDigits(token.word(at: index) | padding(token.count &- index))
    }

    /// Appends a token in lower case.
    ///
    /// - Parameters:
    ///   - token: The digits as someone wrote them.
    ///   - buffer: Where to; unchanged when the token is malformed.
    /// - Returns: False when it is not an even number of hexadecimal digits, from 2 to ``digitsMax``.
    public static func appendNormalized(_ token: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) -> Bool {
        guard isLengthAllowed(token.count) else { return false }
        let start = buffer.count
        buffer.reserve(token.count &+ 8)
        var index = 0
        while index < token.count {
            let left = token.count &- index
            let word = unsafe left >= 8 ? token.word(at: index) : token.word(at: index) | padding(left)
            guard areDigits(word) else {
                buffer.truncate(to: start)
                return false
            }
            buffer.put(word: word | spaces)
            index &+= 8
        }
        buffer.truncate(to: start &+ token.count)
        return true
    }

    /// Whether a token is well-formed and in lower case already, as the key of a push record must be.
    public static func isNormalized(_ token: UnsafeRawBufferPointer) -> Bool {
        guard unsafe isWellFormed(token) else { return false }
        var index = 0
        while index < token.count {
            // Only capital letters have 0x40 without 0x20.
            let word = unsafe token.word(at: index)
            if word & (spaces &* 2) & ~(word &* 2) != 0 { return false }
            index &+= 8
        }
        return true
    }

    @inline(__always)
    private static func isLengthAllowed(_ count: Int) -> Bool { count >= 2 && count <= digitsMax && count % 2 == 0 }

    /// The bit that makes a letter lower case and leaves a digit alone, for eight bytes.
    private static let spaces: UInt64 = 0x2020_2020_2020_2020

    /// Zeros as digits for the bytes that a last word does not have.
    @inline(__always)
    private static func padding(_ count: Int) -> UInt64 { 0x3030_3030_3030_3030 << UInt64(count &* 8) }

    /// Whether eight bytes are all one of `0-9a-fA-F`, without a branch for each: random digits are not predictable.
    ///
    /// An addition sets the upper bit of each byte that is at least some bound; bytes above 0x7F are refused apart, so
    /// that no addition carries.
    @inline(__always)
    private static func areDigits(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let lower = word | spaces
        let digits = (word &+ ones &* 0x50) & ~(word &+ ones &* 0x46)
        let letters = (lower &+ ones &* 0x1F) & ~(lower &+ ones &* 0x19)
        let highs = ones &* 0x80
        return word & highs == 0 && (digits | letters) & highs == highs
    }
}
