internal import EventLoop
internal import FoundationEssentials

/// A device token that exists, for one topic.
public struct SimulatedDevice: Sendable, Equatable {
    /// Hexadecimal, in either case.
    public var token: String
    /// The topic that it is registered for.
    public var topic: String
    /// The service that it belongs to.
    public var environment: SimulatedEnvironment
    /// When it ceased to be valid for the topic, in milliseconds since 1970; nil while it is.
    public var unregisteredAtMillis: Int64?
    /// Whether it can be reached; pushes for a device that cannot are accepted and kept, replaced or dropped.
    public var isOnline: Bool

    /// Describes a device.
    ///
    /// - Parameters:
    ///   - token: Hexadecimal.
    ///   - topic: The topic that it is registered for.
    ///   - environment: The service that it belongs to.
    ///   - unregisteredAtMillis: When it ceased to be valid; nil while it is.
    ///   - isOnline: Whether it can be reached.
    public init(
        token: String,
        topic: String,
        environment: SimulatedEnvironment = .production,
        unregisteredAtMillis: Int64? = nil,
        isOnline: Bool = true
    ) {
        self.token = token
        self.topic = topic
        self.environment = environment
        self.unregisteredAtMillis = unregisteredAtMillis
        self.isOnline = isOnline
    }
}

extension SimulatedDevice {
    /// Reads devices, one JSON object a line.
    ///
    /// - Parameter json: The text; empty lines are passed over.
    /// - Returns: The devices in order.
    /// - Throws: ``SimulatorError`` that names the line and what is wrong with it.
    public static func read(_ json: [UInt8]) throws(SimulatorError) -> [SimulatedDevice] {
        try JSONLines.read(json, name: "devices", as: SimulatedDevice.self)
    }
}

extension SimulatedDevice: Decodable {
    private enum Key: String, CodingKey { case token, topic, environment, unregisteredAt, online }

    /// Reads `{token, topic, environment?, unregisteredAt?, online?}`; the time in milliseconds, or as RFC 3339.
    ///
    /// - Parameter decoder: The source.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        token = try container.decode(String.self, forKey: .token)
        topic = try container.decode(String.self, forKey: .topic)
        environment = try container.decodeIfPresent(SimulatedEnvironment.self, forKey: .environment) ?? .production
        isOnline = try container.decodeIfPresent(Bool.self, forKey: .online) ?? true
        unregisteredAtMillis = nil
        guard container.contains(.unregisteredAt), try !container.decodeNil(forKey: .unregisteredAt) else { return }
        if let millis = try? container.decode(Int64.self, forKey: .unregisteredAt) {
            unregisteredAtMillis = millis
        } else {
            let text = try container.decode(String.self, forKey: .unregisteredAt)
            guard let date = Self.date(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .unregisteredAt,
                    in: container,
                    debugDescription: "expected milliseconds or RFC 3339"
                )
            }
            unregisteredAtMillis = Int64((date.timeIntervalSince1970 * 1000).rounded())
        }
    }

    private static func date(_ text: String) -> Date? {
        let whole = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? whole.parse(text)) ?? (try? fractional.parse(text))
    }
}
