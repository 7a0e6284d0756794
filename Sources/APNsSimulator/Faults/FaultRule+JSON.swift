internal import FoundationEssentials

extension FaultRule {
    /// Reads rules, one JSON object a line, or one array of them.
    ///
    /// - Parameter json: The text; empty lines are passed over.
    /// - Returns: The rules in order.
    /// - Throws: ``SimulatorError`` that names the line and what is wrong with it.
    public static func read(_ json: [UInt8]) throws(SimulatorError) -> [FaultRule] {
        let decoder = JSONDecoder()
        if json.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") {
            do {
                return try decoder.decode([FaultRule].self, from: Data(json))
            } catch {
                throw SimulatorError("faults: \(JSONLines.describe(error))")
            }
        }
        return try JSONLines.read(json, name: "faults", as: FaultRule.self)
    }
}

extension FaultRule: Decodable {
    enum Key: String, CodingKey, CaseIterable { case match, then }

    /// Reads a rule and refuses keys that it does not know.
    ///
    /// - Parameter decoder: The source.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        try AnyKey.refuseOthers(than: Key.allCases.map(\.rawValue), in: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            match: try container.decodeIfPresent(Match.self, forKey: .match) ?? Match(),
            then: try container.decode(Then.self, forKey: .then)
        )
    }
}

extension FaultRule.Match: Decodable {
    enum Key: String, CodingKey, CaseIterable { case token, share, count, afterSeconds, forSeconds }

    /// Reads the conditions.
    ///
    /// - Parameter decoder: The source.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        try AnyKey.refuseOthers(than: Key.allCases.map(\.rawValue), in: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        token = try container.decodeIfPresent(String.self, forKey: .token)
        share = try container.decodeIfPresent(Double.self, forKey: .share)
        count = try container.decodeIfPresent(Int.self, forKey: .count)
        afterSeconds = try container.decodeIfPresent(Double.self, forKey: .afterSeconds)
        forSeconds = try container.decodeIfPresent(Double.self, forKey: .forSeconds)
        try refuseValue(share.map { $0 < 0 || $0 > 1 }, .share, "0...1", container)
        try refuseValue(count.map { $0 < 0 }, .count, "0 or more", container)
        try refuseValue(afterSeconds.map { $0 < 0 || $0 > 1e9 }, .afterSeconds, "0...1000000000", container)
        try refuseValue(forSeconds.map { $0 < 0 || $0 > 1e9 }, .forSeconds, "0...1000000000", container)
    }
}

/// Throws for a value that is there and wrong.
private func refuseValue<Key: CodingKey>(
    _ isWrong: Bool?,
    _ key: Key,
    _ expected: String,
    _ container: KeyedDecodingContainer<Key>
) throws {
    guard isWrong == true else { return }
    throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "expected \(expected)")
}

extension FaultRule.Then: Decodable {
    enum Key: String, CodingKey, CaseIterable {
        case status, reason, retryAfter, timestamp, delayMillis, refuse, goaway, close, blackHole, settings
    }

    /// Reads what happens.
    ///
    /// - Parameter decoder: The source.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        try AnyKey.refuseOthers(than: Key.allCases.map(\.rawValue), in: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        status = try container.decodeIfPresent(Int.self, forKey: .status)
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
        retryAfter = try container.decodeIfPresent(Int.self, forKey: .retryAfter)
        timestamp = try container.decodeIfPresent(Int64.self, forKey: .timestamp)
        delayMillis = try container.decodeIfPresent(Int64.self, forKey: .delayMillis)
        refuse = try container.decodeIfPresent(Bool.self, forKey: .refuse) ?? false
        goaway = try container.decodeIfPresent(FaultRule.GoAway.self, forKey: .goaway)
        close = try container.decodeIfPresent(Bool.self, forKey: .close) ?? false
        blackHole = try container.decodeIfPresent(Bool.self, forKey: .blackHole) ?? false
        settings = try container.decodeIfPresent(FaultRule.Settings.self, forKey: .settings)
        try refuseValue(status.map { !(200...599).contains($0) }, .status, "200...599", container)
        try refuseValue(retryAfter.map { $0 < 0 }, .retryAfter, "0 or more", container)
        try refuseValue(timestamp.map { $0 < 0 }, .timestamp, "0 or more", container)
        try refuseValue(delayMillis.map { !(0...86_400_000).contains($0) }, .delayMillis, "0...86400000", container)
    }
}

extension FaultRule.GoAway: Decodable {
    enum Key: String, CodingKey, CaseIterable { case unanswered, reason }

    /// Reads a GOAWAY.
    ///
    /// - Parameter decoder: The source.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        try AnyKey.refuseOthers(than: Key.allCases.map(\.rawValue), in: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        unanswered = try container.decodeIfPresent(Int.self, forKey: .unanswered) ?? 0
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
        try refuseValue(unanswered < 0, .unanswered, "0 or more", container)
    }
}

extension FaultRule.Settings: Decodable {
    enum Key: String, CodingKey, CaseIterable { case maxConcurrentStreams, initialWindowSize }

    /// Reads SETTINGS.
    ///
    /// - Parameter decoder: The source.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        try AnyKey.refuseOthers(than: Key.allCases.map(\.rawValue), in: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        maxConcurrentStreams = try container.decodeIfPresent(UInt32.self, forKey: .maxConcurrentStreams)
        initialWindowSize = try container.decodeIfPresent(UInt32.self, forKey: .initialWindowSize)
        try refuseValue(initialWindowSize.map { $0 > 0x7FFF_FFFF }, .initialWindowSize, "0...2147483647", container)
    }
}
