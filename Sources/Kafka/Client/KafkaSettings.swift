public import Observability

/// How to reach a cluster, and the librdkafka properties that differ from a client's defaults.
///
/// Every client starts from defaults of its own, then applies these properties in their order; see
/// <https://github.com/confluentinc/librdkafka/blob/v2.0.2/CONFIGURATION.md>.
public struct KafkaSettings: Sendable, CustomStringConvertible {
    /// The properties in the order in which they are applied; a later one wins.
    public private(set) var properties: [(String, String)]
    /// Where the lines that librdkafka logs go.
    public var logger = Logger(label: "kafka")

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - bootstrapServers: `host:port`, separated by commas.
    ///   - clientID: What brokers and their logs call this client; unique in its group.
    ///   - properties: Further librdkafka properties.
    public init(bootstrapServers: String, clientID: String, properties: [(String, String)] = []) {
        self.properties = [("bootstrap.servers", bootstrapServers), ("client.id", clientID)] + properties
    }

    /// Sets one librdkafka property; the value of an earlier one with that name is dropped.
    public mutating func set(_ key: String, _ value: String) {
        properties.removeAll { $0.0 == key }
        properties.append((key, value))
    }

    /// The value of a property, if it is set here.
    public subscript(key: String) -> String? { properties.last { $0.0 == key }?.1 }

    /// The properties; of those that may hold a secret only the names.
    public var description: String {
        let parts = properties.map { key, value in
            "\(key)=\(KafkaSettings.isSecret(key, value: value) ? "<redacted>" : value)"
        }
        return parts.joined(separator: " ")
    }

    /// Tells whether the value of a property must not be printed.
    ///
    /// - Parameter key: The name of a librdkafka property.
    /// - Returns: True for passwords, keys and whatever configures a login.
    public static func isSecret(_ key: String) -> Bool {
        ["password", "secret", "key.pem", "jaas", "oauthbearer", "sasl.username"].contains { key.contains($0) }
            || key == "ssl.key.location"
    }

    /// Tells the same, and true also for an address with a user in front of its host, as a proxy's may be.
    ///
    /// - Parameters:
    ///   - key: The name of a librdkafka property.
    ///   - value: Its value.
    /// - Returns: Whether the value must not be printed.
    public static func isSecret(_ key: String, value: String) -> Bool {
        isSecret(key) || (value.contains("://") && value.utf8.contains(UInt8(ascii: "@")))
    }
}
