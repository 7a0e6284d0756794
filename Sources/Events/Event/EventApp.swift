/// An app of the configuration, as far as events know it.
public struct EventApp: Sendable, Equatable {
    /// The id that events name.
    public let id: String

    /// The `apns-topic` of its pushes.
    public let topic: String

    /// Names an app.
    ///
    /// - Parameters:
    ///   - id: The id that events name.
    ///   - topic: Its `apns-topic`.
    public init(id: String, topic: String) {
        self.id = id
        self.topic = topic
    }
}

/// What a parser of events needs to know of its process.
public struct EventParserSettings: Sendable {
    /// The configured apps; with none, events may name any.
    public var apps: [EventApp]

    /// Whether audiences that need the device table can be served; where not, they are a fault.
    public var servesDeviceTable = false

    /// Whether deliveries later than ``EventParser/scheduleMillisMax`` from now can be kept; where not, they are a
    /// fault.
    public var keepsSchedules = false

    /// Makes settings.
    ///
    /// - Parameter apps: The configured apps.
    public init(apps: [EventApp]) { self.apps = apps }
}
