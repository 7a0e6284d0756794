/// What the parsers ask of borrowed bytes. All of it is free of allocation.
extension UnsafeRawBufferPointer {
    /// Whether the bytes are those of a constant text.
    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return unsafe equals(start: UnsafeRawPointer(text.utf8Start))
    }

    /// Whether the bytes are those of another buffer.
    @inline(__always)
    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let start = other.baseAddress else { return count == other.count }
        return unsafe equals(start: start)
    }

    /// Whether as many bytes at another place are the same: eight at once, the last eight overlapping.
    @inline(__always)
    private func equals(start other: UnsafeRawPointer) -> Bool {
        guard let start = baseAddress else { return true }
        if count < 8 {
            if count >= 4 {
                let end = count &- 4
                let left = unsafe start.loadUnaligned(as: UInt32.self)
                let leftEnd = unsafe start.loadUnaligned(fromByteOffset: end, as: UInt32.self)
                return unsafe left == other.loadUnaligned(as: UInt32.self)
                    && leftEnd == other.loadUnaligned(fromByteOffset: end, as: UInt32.self)
            }
            var index = 0
            while index < count {
                if unsafe self[index] != other.load(fromByteOffset: index, as: UInt8.self) { return false }
                index &+= 1
            }
            return true
        }
        var index = 0
        let last = count &- 8
        while index < last {
            let left = unsafe start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if unsafe left != other.loadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
            index &+= 8
        }
        let left = unsafe start.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        return unsafe left == other.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }

    /// Finds a byte, eight at once.
    ///
    /// - Parameters:
    ///   - byte: What to look for.
    ///   - start: The first offset.
    ///   - end: The offset to stop at.
    /// - Returns: Its offset, or `end`.
    @inline(__always)
    func firstIndex(of byte: UInt8, in start: Int, _ end: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let pattern = ones &* UInt64(byte)
        var index = start
        while index &+ 8 <= end {
            let word = unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ pattern
            let zeros = (word &- ones) & ~word & 0x8080_8080_8080_8080
            // The lowest mark is exact; those above it may be carries.
            if zeros != 0 { return index &+ zeros.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end {
            if unsafe self[index] == byte { return index }
            index &+= 1
        }
        return end
    }

    /// Eight bytes at an offset, the first one lowest; zeros stand for those beyond the end.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        if offset &+ 8 <= count {
            return unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var word: UInt64 = 0
        var index = count &- 1
        while index >= offset {
            word = unsafe word << 8 | UInt64(self[index])
            index &-= 1
        }
        return word
    }

    /// A part of the bytes; the offsets must lie inside.
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// The whole number that the bytes write in decimal, nil if they write none or it does not fit.
    func decimal() -> Int64? {
        var index = 0
        let isNegative = unsafe count > 1 && self[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        guard index < count && count <= 20 else { return nil }
        var value: Int64 = 0
        while index < count {
            let digit = unsafe self[index] &- 0x30
            guard digit < 10 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (difference, underflow) = product.subtractingReportingOverflow(Int64(digit))
            if overflow || underflow { return nil }
            value = difference
            index &+= 1
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }
}

extension StaticString {
    /// The text's bytes, which live as long as the process.
    public var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
