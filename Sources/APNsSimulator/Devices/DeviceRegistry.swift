/// The devices that exist, found by token without allocating.
///
/// An open-addressing table over the tokens' bytes; a token that is registered for several topics has an entry for each.
struct DeviceRegistry {
    /// What the registry knows of a token and a topic.
    enum Answer: Equatable {
        case registered
        /// Unknown here or in this environment.
        case unknown
        case unregistered(atMillis: Int64)
        case otherTopic
    }

    private struct Entry {
        let tokenStart: Int
        let tokenCount: Int
        let topic: Int
        let unregisteredAtMillis: Int64
        let isOnline: Bool
    }

    private static let neverMillis = Int64.max

    private var slots: [Int32]
    private var entries: [Entry] = []
    private var tokens: [UInt8] = []
    private var topics: [[UInt8]] = []
    private var hasOffline = false

    /// How many registrations there are.
    var count: Int { entries.count }

    /// Takes the devices of one environment.
    init(_ devices: [SimulatedDevice], environment: SimulatedEnvironment) {
        var size = 64
        while size < devices.count * 2 { size *= 2 }
        slots = .init(repeating: -1, count: size)
        var topicIndexes: [String: Int] = [:]
        for device in devices where device.environment == environment {
            let topic: Int
            if let known = topicIndexes[device.topic] {
                topic = known
            } else {
                topic = topics.count
                topicIndexes[device.topic] = topic
                topics.append(Array(device.topic.utf8))
            }
            let token = device.token.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
            let entry = Entry(
                tokenStart: tokens.count,
                tokenCount: token.count,
                topic: topic,
                unregisteredAtMillis: device.unregisteredAtMillis ?? Self.neverMillis,
                isOnline: device.isOnline
            )
            if !device.isOnline { hasOffline = true }
            var slot = Self.hash(token.span) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: entries.count)
            entries.append(entry)
            tokens += token
        }
    }

    /// Looks a token up.
    ///
    /// - Parameters:
    ///   - token: Hexadecimal, in either case.
    ///   - topic: The topic of the push.
    /// - Returns: What is known; the last line of a file about the same token and topic counts.
    func find(_ token: Span<UInt8>, topic: Span<UInt8>) -> Answer {
        let (index, isKnown) = search(token, topic)
        guard let index else { return isKnown ? .otherTopic : .unknown }
        let time = entries[index].unregisteredAtMillis
        return time == Self.neverMillis ? .registered : .unregistered(atMillis: time)
    }

    /// The index of a registration whose device is offline, below ``count``.
    ///
    /// - Parameters:
    ///   - token: Hexadecimal, in either case.
    ///   - topic: The topic of the push.
    /// - Returns: Nil where the device is online, or none is registered so.
    func offline(_ token: Span<UInt8>, topic: Span<UInt8>) -> Int? {
        guard hasOffline, let index = search(token, topic).index, !entries[index].isOnline else { return nil }
        return index
    }

    private func search(_ token: Span<UInt8>, _ topic: Span<UInt8>) -> (index: Int?, isKnown: Bool) {
        var found: Int?
        var isKnown = false
        var slot = Self.hash(token) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if matches(entries[index], token) {
                isKnown = true
                if topic.equals(topics[entries[index].topic]) { found = index }
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (found, isKnown)
    }

    private func matches(_ entry: Entry, _ token: Span<UInt8>) -> Bool {
        guard entry.tokenCount == token.count else { return false }
        for index in 0..<token.count where tokens[entry.tokenStart + index] != Self.lowered(token[index]) {
            return false
        }
        return true
    }

    /// FNV-1a over the lower-case token.
    static func hash(_ token: Span<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in 0..<token.count {
            hash = (hash ^ UInt64(lowered(token[index]))) &* 0x0000_0100_0000_01B3
        }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
