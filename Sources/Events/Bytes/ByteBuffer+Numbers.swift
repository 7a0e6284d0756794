extension ByteBuffer {
    /// Appends a number in decimal.
    public mutating func append(decimal number: Int64) {
        reserve(20)
        if number < 0 { put(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var length = 1
        var bound: UInt64 = 10
        while rest >= bound {
            length &+= 1
            bound &*= 10
        }
        unsafe put(count: length) { digits in
            var index = length
            // Two digits a division, which is what takes the time.
            while index >= 2 {
                let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
                let tens = UInt8(truncatingIfNeeded: (pair &* 103) >> 10)
                unsafe digits[index &- 1] = UInt8(truncatingIfNeeded: pair) &- tens &* 10 &+ 0x30
                unsafe digits[index &- 2] = tens &+ 0x30
                index &-= 2
                rest = quotient
            }
            if index == 1 { unsafe digits[0] = UInt8(truncatingIfNeeded: rest) &+ 0x30 }
        }
    }

    /// Appends bytes as lower-case hexadecimal digits.
    public mutating func append(hex bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count * 2)
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            put(Self.hexDigit(byte >> 4))
            put(Self.hexDigit(byte & 15))
        }
    }

    /// Appends fixed memory as lower-case hexadecimal digits.
    public mutating func append<let size: Int>(hex bytes: borrowing InlineArray<size, UInt8>) {
        reserve(size * 2)
        for index in 0..<size {
            put(Self.hexDigit(bytes[index] >> 4))
            put(Self.hexDigit(bytes[index] & 15))
        }
    }

    /// Appends bytes as base64url without padding (RFC 4648, section 5).
    public mutating func append<let size: Int>(base64URL bytes: borrowing InlineArray<size, UInt8>) {
        var index = 0
        while index < size {
            let left = size - index
            let first = UInt32(bytes[index]) << 16
            let second = left > 1 ? UInt32(bytes[index + 1]) << 8 : 0
            let group = first | second | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            append(Self.base64Digit(group >> 18))
            append(Self.base64Digit(group >> 12 & 63))
            if left > 1 { append(Self.base64Digit(group >> 6 & 63)) }
            if left > 2 { append(Self.base64Digit(group & 63)) }
            index += 3
        }
    }

    /// The lower-case digit of a half byte.
    @inline(__always)
    static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? value &+ 0x30 : value &+ 0x57 }

    private static func base64Digit(_ value: UInt32) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: value)
        return switch digit {
        case 0..<26: digit &+ 0x41
        case 26..<52: digit &+ 0x47
        case 52..<62: digit &- 4
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }
}
