/// What a header of a response says to us.
enum ResponseField: Equatable {
    /// `:status`; 0 when it is no number of three digits.
    case status(UInt16)
    /// `retry-after`; -1 when it is no number of seconds, such as a date.
    case retryAfter(Int32)
    case other

    private static let secondsDigitsMax = 9

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - value: Anything.
    init(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        if unsafe Self.matches(name, ":status") {
            self = unsafe .status(UInt16(truncatingIfNeeded: value.count == 3 ? Self.number(value) ?? 0 : 0))
        } else if unsafe Self.matches(name, "retry-after") {
            self = unsafe .retryAfter(value.count <= Self.secondsDigitsMax ? Self.number(value) ?? -1 : -1)
        } else {
            self = .other
        }
    }

    private static func matches(_ name: UnsafeRawBufferPointer, _ expected: StaticString) -> Bool {
        guard name.count == expected.utf8CodeUnitCount else { return false }
        for index in 0..<name.count where unsafe name[index] != expected.utf8Start[index] { return false }
        return true
    }

    /// At most nine digits as a number; nil for anything else.
    private static func number(_ text: UnsafeRawBufferPointer) -> Int32? {
        guard unsafe !text.isEmpty else { return nil }
        var number: Int32 = 0
        for index in 0..<text.count {
            let digit = unsafe text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int32(digit)
        }
        return number
    }
}
