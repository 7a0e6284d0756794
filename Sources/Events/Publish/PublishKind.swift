/// What `geopush publish` can publish.
public enum PublishKind: String, CaseIterable, Sendable {
    /// Events of places.
    case location

    /// Events of campaigns.
    case campaign

    /// Events of devices.
    case device

    /// Finished pushes.
    case push

    /// The topic of events; nil for finished pushes.
    public var topicKind: TopicKind? { TopicKind(rawValue: rawValue) }
}
