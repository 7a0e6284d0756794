internal import Glibc

/// Checks of the values of headers, on bytes.
enum HeaderValue {
    /// Hexadecimal digits, an even number of them.
    static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 0, bytes.count & 1 == 0, bytes.count <= PushRequest.tokenDigitsMax else { return false }
        // Looks at all digits without a branch, which the compiler turns into vectors.
        var others: UInt8 = 0
        for index in 0..<bytes.count { others |= unsafe isHexadecimal(bytes[index]) ? 0 : 1 }
        return others == 0
    }

    /// ASCII without spaces and control characters.
    static func isVisible(_ bytes: UnsafeRawBufferPointer, bytesMax: Int) -> Bool {
        guard bytes.count > 0, bytes.count <= bytesMax else { return false }
        var others: UInt8 = 0
        for index in 0..<bytes.count { others |= unsafe bytes[index] &- 0x21 < 0x5E ? 0 : 1 }
        return others == 0
    }

    /// ASCII without control characters, and without the spaces around it that HTTP does not carry.
    static func isPrintable(_ bytes: UnsafeRawBufferPointer, bytesMax: Int) -> Bool {
        guard bytes.count > 0, bytes.count <= bytesMax else { return false }
        for index in 0..<bytes.count where unsafe bytes[index] < 0x20 || bytes[index] >= 0x7F { return false }
        return unsafe bytes[0] != 0x20 && bytes[bytes.count - 1] != 0x20
    }

    /// 8-4-4-4-12 hexadecimal digits, in either case.
    static func isUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == 36 else { return false }
        var others: UInt8 = 0
        for index in 0..<36 { others &+= unsafe isHexadecimal(bytes[index]) ? 0 : 1 }
        // The four others are the dashes.
        return unsafe others == 4 && bytes[8] == UInt8(ascii: "-") && bytes[13] == UInt8(ascii: "-")
            && bytes[18] == UInt8(ascii: "-") && bytes[23] == UInt8(ascii: "-")
    }

    /// A whole number of seconds since 1970; nil for anything else, and for what must be milliseconds.
    static func seconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count > 0, bytes.count <= 12 else { return nil }
        var number: Int64 = 0
        for index in 0..<bytes.count {
            let digit = unsafe bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int64(digit)
        }
        return number <= PushRequest.expirationSecondsMax ? number : nil
    }

    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
        return unsafe memcmp(leftStart, rightStart, left.count) == 0
    }

    /// Both cannot be true, so that "or" can be a difference, without a branch.
    @inline(__always)
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (byte &- UInt8(ascii: "0") < 10) != ((byte | 0x20) &- UInt8(ascii: "a") < 6)
    }
}
