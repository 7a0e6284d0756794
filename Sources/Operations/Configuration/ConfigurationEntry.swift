internal import FoundationEssentials

/// The value that a key has in the end, and where it comes from; no password stands in it.
public struct ConfigurationEntry: Sendable {
    private static let redacted = JSONValue.string("<redacted>")

    /// The key.
    public let key: ConfigurationKey
    /// The value with passwords taken out; null where there is none.
    public let value: JSONValue
    /// Where it comes from.
    public let source: ConfigurationSource

    init(_ key: ConfigurationKey, given: (value: JSONValue, source: ConfigurationSource)?) {
        self.key = key
        source = given?.source ?? .byDefault
        value = given.map { Self.visible($0.value, of: key) } ?? Self.defaultValue(of: key)
    }

    private static func defaultValue(of key: ConfigurationKey) -> JSONValue {
        switch key.kind {
        case .integer:
            if let number = Int64(key.defaultText) { return .integer(number) }
            let cores = ProcessInfo.processInfo.activeProcessorCount
            return .integer(Int64(Configuration.Delivery.lanesByDefault(cores: cores)))
        case .number: return Double(key.defaultText).map { .number($0) } ?? .null
        case .kafkaProperties: return .object([:])
        case .apps: return .array([])
        case .text, .optionalText, .choice: return key.defaultText.isEmpty ? .null : .string(key.defaultText)
        }
    }

    private static func visible(_ value: JSONValue, of key: ConfigurationKey) -> JSONValue {
        // An empty text means that it is not set.
        if case .optionalText = key.kind, value == .string("") { return .null }
        guard key.isSecret else { return value }
        switch value {
        case .object(let members):
            let shown = members.map { name, value in
                (name, KafkaProperties.isSecret(name, value: value.scalarText ?? "") ? redacted : value)
            }
            return .object(Dictionary(uniqueKeysWithValues: shown))
        case .string(let text):
            // A proxy, which may have user and password in front of its host.
            guard let at = text.lastIndex(of: "@") else { return value }
            return .string("http://<redacted>\(text[at...])")
        default: return redacted
        }
    }
}
