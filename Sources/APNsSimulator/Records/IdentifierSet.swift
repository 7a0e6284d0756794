/// The identifiers seen, eight bytes each at a load of at most three quarters.
///
/// It keeps a 64-bit mix of each UUID: among a million of them the chance of one false duplicate is 3 in 100 million.
struct IdentifierSet {
    private var slots: [UInt64]
    private var hasZero = false

    /// How many distinct identifiers there are.
    private(set) var count = 0

    init() { slots = .init(repeating: 0, count: 1024) }

    /// Adds an identifier.
    ///
    /// - Parameter text: A UUID in its canonical form, or any other bytes.
    /// - Returns: Whether it is new.
    mutating func insert(_ text: Span<UInt8>) -> Bool {
        let key = Self.fingerprint(text)
        guard key != 0 else {
            if hasZero { return false }
            hasZero = true
            count += 1
            return true
        }
        guard Self.place(key, in: &slots) else { return false }
        count += 1
        if count * 4 > slots.count * 3 { grow() }
        return true
    }

    private mutating func grow() {
        var larger: [UInt64] = .init(repeating: 0, count: slots.count * 2)
        for key in slots where key != 0 { _ = Self.place(key, in: &larger) }
        slots = larger
    }

    private static func place(_ key: UInt64, in slots: inout [UInt64]) -> Bool {
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: key) & mask
        while slots[index] != 0 {
            if slots[index] == key { return false }
            index = (index + 1) & mask
        }
        slots[index] = key
        return true
    }

    /// Mixes the hexadecimal digits; case and hyphens do not count, since ids are compared without them.
    private static func fingerprint(_ text: Span<UInt8>) -> UInt64 {
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in 0..<text.count where text[index] != UInt8(ascii: "-") {
            let byte = text[index]
            let digit = byte & 0x40 != 0 ? (byte & 7) &+ 9 : byte & 15
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        return SplitMix.mix(SplitMix.mix(high) &+ low)
    }
}
