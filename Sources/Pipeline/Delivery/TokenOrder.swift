/// Which tokens have a push under way, so that at most one of each is in flight.
///
/// A token is known by a 64-bit hash: two tokens of one hash wait for each other, which costs time and breaks nothing.
/// The pushes of a token form a queue, linked by their slots; this table knows the last of each.
/// A linear-probing table of fixed size; entries leave by shifting back, so it needs no tombstones.
struct TokenOrder: ~Copyable {
    /// What entering a push found.
    enum Entry: Equatable {
        /// No other push of the token is under way: this one may be sent.
        case first
        /// The push waits behind the one in this slot.
        case behind(slot: Int32)
    }

    private var hashes: [UInt64]
    private var lasts: [Int32]
    private let mask: Int
    /// How many tokens have a push under way.
    private(set) var count = 0

    /// Makes a table for at most `capacity` pushes at a time.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        mask = size - 1
        hashes = .init(repeating: 0, count: size)
        lasts = .init(repeating: -1, count: size)
    }

    /// The hash of a token, eight bytes a multiplication; equal hashes only make two tokens wait for each other.
    static func hash(of token: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var index = 0
        while index < token.count {
            var word: UInt64 = 0
            if index &+ 8 <= token.count {
                word = unsafe token.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            } else {
                for byte in index..<token.count { word = unsafe word << 8 | UInt64(token[byte]) }
            }
            // Both halves of the product: tokens that differ in a few bytes would share their lower bits otherwise.
            let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low
            index &+= 8
        }
        return hash
    }

    /// Puts a push at the end of its token's queue.
    mutating func enter(_ hash: UInt64, slot: Int32) -> Entry {
        let key = hash == 0 ? 1 : hash
        var index = Int(truncatingIfNeeded: key) & mask
        while hashes[index] != 0 {
            if hashes[index] == key {
                let last = lasts[index]
                lasts[index] = slot
                return .behind(slot: last)
            }
            index = (index + 1) & mask
        }
        hashes[index] = key
        lasts[index] = slot
        count += 1
        return .first
    }

    /// Forgets a token whose last push has finished.
    mutating func leave(_ hash: UInt64) {
        let key = hash == 0 ? 1 : hash
        var hole = Int(truncatingIfNeeded: key) & mask
        while hashes[hole] != key {
            if hashes[hole] == 0 { return }
            hole = (hole + 1) & mask
        }
        count -= 1
        var next = (hole + 1) & mask
        while hashes[next] != 0 {
            let home = Int(truncatingIfNeeded: hashes[next]) & mask
            // An entry may fill the hole unless its home lies cyclically between the hole and itself.
            if (next - home) & mask >= (next - hole) & mask {
                hashes[hole] = hashes[next]
                lasts[hole] = lasts[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        hashes[hole] = 0
        lasts[hole] = -1
    }

    /// Forgets every token.
    mutating func removeAll() {
        guard count > 0 else { return }
        for index in hashes.indices { hashes[index] = 0 }
        count = 0
    }
}
