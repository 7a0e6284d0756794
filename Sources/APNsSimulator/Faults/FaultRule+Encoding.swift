internal import FoundationEssentials

extension FaultRule {
    /// Writes rules as ``read(_:)`` reads them, one JSON object a line.
    ///
    /// - Parameter rules: The rules in order.
    /// - Returns: The text; empty for no rules.
    /// - Throws: What the encoder throws for a number that JSON does not have.
    static func write(_ rules: [FaultRule]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try rules.flatMap { try encoder.encode($0) + [UInt8(ascii: "\n")] }
    }
}

extension FaultRule: Encodable {
    /// Writes a rule.
    ///
    /// - Parameter encoder: The target.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if match != Match() { try container.encode(match, forKey: .match) }
        try container.encode(then, forKey: .then)
    }
}

extension FaultRule.Match: Encodable {
    /// Writes the conditions that there are.
    ///
    /// - Parameter encoder: The target.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(token, forKey: .token)
        try container.encodeIfPresent(share, forKey: .share)
        try container.encodeIfPresent(count, forKey: .count)
        try container.encodeIfPresent(afterSeconds, forKey: .afterSeconds)
        try container.encodeIfPresent(forSeconds, forKey: .forSeconds)
    }
}

extension FaultRule.Then: Encodable {
    /// Writes what happens, and nothing of what does not.
    ///
    /// - Parameter encoder: The target.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(status, forKey: .status)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encodeIfPresent(retryAfter, forKey: .retryAfter)
        try container.encodeIfPresent(timestamp, forKey: .timestamp)
        try container.encodeIfPresent(delayMillis, forKey: .delayMillis)
        if refuse { try container.encode(true, forKey: .refuse) }
        try container.encodeIfPresent(goaway, forKey: .goaway)
        if close { try container.encode(true, forKey: .close) }
        if blackHole { try container.encode(true, forKey: .blackHole) }
        try container.encodeIfPresent(settings, forKey: .settings)
    }
}

extension FaultRule.GoAway: Encodable {
    /// Writes a GOAWAY.
    ///
    /// - Parameter encoder: The target.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(unanswered, forKey: .unanswered)
        try container.encodeIfPresent(reason, forKey: .reason)
    }
}

extension FaultRule.Settings: Encodable {
    /// Writes SETTINGS.
    ///
    /// - Parameter encoder: The target.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(maxConcurrentStreams, forKey: .maxConcurrentStreams)
        try container.encodeIfPresent(initialWindowSize, forKey: .initialWindowSize)
    }
}
