/// Walks over the members of one JSON object, leniently and in one pass.
///
/// Values of members are skipped whole, so that a `reason` inside another object is not taken for ours.
struct MemberScanner: ~Copyable, ~Escapable {
    /// A member's name or text: where it stands between its quotes.
    typealias Text = (start: Int, count: Int)

    enum Value {
        case text(start: Int, count: Int)
        case integer(Int64)
        /// Anything else, skipped.
        case other
    }

    private let bytes: RawSpan
    private var position = 0

    @_lifetime(copy bytes)
    init(bytes: RawSpan) {
        self.bytes = bytes
    }

    /// Goes to the first member; false if the bytes are no object.
    @_lifetime(self: copy self)
    mutating func enterObject() -> Bool {
        // A byte-order mark.
        if bytes.byteCount >= 3, byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { position = 3 }
        skipSpace()
        return take(UInt8(ascii: "{"))
    }

    /// Reads the name of the next member and its colon; nil at the end, and where the text makes no sense.
    @_lifetime(self: copy self)
    mutating func nextName() -> Text? {
        skipSpace()
        // Before the second member and all after it.
        if take(UInt8(ascii: ",")) { skipSpace() }
        guard let name = text() else { return nil }
        skipSpace()
        return take(UInt8(ascii: ":")) ? name : nil
    }

    /// Reads or skips the value of a member.
    @_lifetime(self: copy self)
    mutating func nextValue() -> Value {
        skipSpace()
        guard position < bytes.byteCount else { return .other }
        if byte(position) == UInt8(ascii: "\"") {
            guard let text = text() else { return .other }
            return .text(start: text.start, count: text.count)
        }
        if let number = integer() { return .integer(number) }
        skipValue()
        return .other
    }

    /// Whether a name is this one.
    func matches(_ text: Text, _ name: StaticString) -> Bool {
        guard text.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<text.count where unsafe byte(text.start + index) != name.utf8Start[index] { return false }
        return true
    }

    private func byte(_ index: Int) -> UInt8 { unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) }

    private mutating func take(_ character: UInt8) -> Bool {
        guard position < bytes.byteCount, byte(position) == character else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.byteCount {
            switch byte(position) {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Reads a string; nil if there is none, or no end of it.
    private mutating func text() -> Text? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while position < bytes.byteCount {
            switch byte(position) {
            case UInt8(ascii: "\""):
                position += 1
                return (start, position - 1 - start)
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }

    /// Reads a number that is not negative; what follows the digits, such as a fraction, is skipped.
    private mutating func integer() -> Int64? {
        var number: Int64 = 0
        var index = position
        while index < bytes.byteCount, case let digit = byte(index) &- UInt8(ascii: "0"), digit < 10 {
            let (shifted, isOver) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOverToo) = shifted.addingReportingOverflow(Int64(digit))
            guard !isOver, !isOverToo else { return nil }
            number = sum
            index += 1
        }
        guard index > position else { return nil }
        // An exponent changes the value; no clock writes one.
        var end = index
        while end < bytes.byteCount, !isEndOfScalar(byte(end)) {
            guard byte(end) | 0x20 != UInt8(ascii: "e") else { return nil }
            end += 1
        }
        position = end
        return number
    }

    private func isEndOfScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    /// Skips an object, an array, a word or a number that ``integer()`` refused.
    private mutating func skipValue() {
        var depth = 0
        while position < bytes.byteCount {
            switch byte(position) {
            case UInt8(ascii: "\""):
                guard text() != nil else { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of our object.
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            position += 1
        }
    }
}
