internal import Kafka

/// librdkafka properties of the operator's choosing, in the order of their names; passwords among them are never printed.
public struct KafkaProperties: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Names and values as librdkafka takes them.
    public let entries: [(name: String, value: String)]

    /// Makes a set of properties.
    ///
    /// - Parameter values: Values by name.
    public init(_ values: [String: String] = [:]) {
        entries = values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// The value of a property, or nil where it is not set.
    public subscript(_ name: String) -> String? { entries.first { $0.name == name }?.value }

    /// Compares names and values.
    public static func == (left: KafkaProperties, right: KafkaProperties) -> Bool {
        left.entries.elementsEqual(right.entries) { $0 == $1 }
    }

    /// The properties with `<redacted>` for what may be secret.
    public var description: String {
        let parts = entries.map { "\($0.name)=\(Self.isSecret($0.name, value: $0.value) ? "<redacted>" : $0.value)" }
        return "[\(parts.joined(separator: ", "))]"
    }

    /// Shows the description only, so that no dump of a configuration shows a password.
    public var customMirror: Mirror { Mirror(reflecting: description) }

    /// Whether the value of a property may hold a password or a private key.
    ///
    /// - Parameters:
    ///   - name: The property.
    ///   - value: Its value.
    /// - Returns: True also for names of later librdkafka versions that sound like it.
    public static func isSecret(_ name: String, value: String) -> Bool {
        let lower = name.lowercased()
        return KafkaSettings.isSecret(lower, value: value)
            || ["passphrase", "private.key", "assertion"].contains { lower.utf8.firstRange(of: $0.utf8) != nil }
    }
}
