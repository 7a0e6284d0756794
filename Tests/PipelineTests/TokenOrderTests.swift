import Testing

@testable import Pipeline

@Suite struct TokenOrderTests {
    @Test func `the first push of a token may be sent and the next waits behind it`() {
        var order = TokenOrder(capacity: 4)
        #expect(order.enter(7, slot: 0) == .first)
        #expect(order.enter(7, slot: 1) == .behind(slot: 0))
        #expect(order.enter(7, slot: 2) == .behind(slot: 1))
        #expect(order.enter(8, slot: 3) == .first)
        #expect(order.count == 2)
    }

    @Test func `tokens that differ in a few digits are spread over the table`() {
        let size = 8_192
        let places = (0..<size / 2).map { number in
            let digits = String(number, radix: 16)
            let token = String(repeating: "0", count: 64 - digits.count) + digits
            return Array(token.utf8).withUnsafeBytes { Int(truncatingIfNeeded: TokenOrder.hash(of: $0)) & (size - 1) }
        }
        // Chance would take 3,223 places.
        #expect(Set(places).count > 3_100)
    }

    @Test func `tokens of every length have hashes of their own`() {
        let bytes: [UInt8] = .init(repeating: UInt8(ascii: "a"), count: 100)
        let hashes = (0...100).map { count in bytes[..<count].withUnsafeBytes { TokenOrder.hash(of: $0) } }
        #expect(Set(hashes).count == 101)
    }

    @Test func `a token that left may be sent again at once`() {
        var order = TokenOrder(capacity: 4)
        _ = order.enter(7, slot: 0)
        order.leave(7)
        #expect(order.enter(7, slot: 1) == .first)
    }

    @Test func `the hash zero is a token like another`() {
        var order = TokenOrder(capacity: 4)
        #expect(order.enter(0, slot: 0) == .first)
        #expect(order.enter(0, slot: 1) == .behind(slot: 0))
        order.leave(0)
        #expect(order.enter(0, slot: 2) == .first)
    }

    @Test func `leaving a token that is not there changes nothing`() {
        var order = TokenOrder(capacity: 4)
        _ = order.enter(1, slot: 0)
        order.leave(2)
        #expect(order.count == 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `agrees with a dictionary over random entries and leavings`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var order = TokenOrder(capacity: 32)
        var model: [UInt64: Int32] = [:]
        for slot in 0..<5_000 as Range<Int32> {
            // Few distinct homes, so that probes collide and wrap around the end of the table.
            let hash = random.next() % 8 &* 64 &+ random.next() % 5 &+ 59
            if model[hash] != nil && random.next() % 2 == 0 || model.count >= 32 {
                let leaving = model[hash] == nil ? model.keys.sorted()[0] : hash
                order.leave(leaving)
                model[leaving] = nil
            } else {
                let expected: TokenOrder.Entry = model[hash].map { .behind(slot: $0) } ?? .first
                #expect(order.enter(hash, slot: slot) == expected)
                model[hash] = slot
            }
            #expect(order.count == model.count)
        }
    }
}

/// A small generator with a seed, so that a failing run can be repeated.
struct SplitMix {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
