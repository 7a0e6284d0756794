/// What an event says.
public enum EventType: String, CaseIterable, Sendable {
    /// A place is new or has changed.
    case locationUpdated = "location.updated"

    /// A place is gone.
    case locationDeleted = "location.deleted"

    /// A campaign runs.
    case campaignScheduled = "campaign.scheduled"

    /// A campaign must not run any more.
    case campaignCancelled = "campaign.cancelled"

    /// A device is there, with all that is known of it.
    case deviceRegistered = "device.registered"

    /// The topic that takes events of this type.
    public var kind: TopicKind {
        switch self {
        case .locationUpdated, .locationDeleted: .location
        case .campaignScheduled, .campaignCancelled: .campaign
        case .deviceRegistered: .device
        }
    }

    /// The type as constant bytes.
    var text: StaticString {
        switch self {
        case .locationUpdated: "location.updated"
        case .locationDeleted: "location.deleted"
        case .campaignScheduled: "campaign.scheduled"
        case .campaignCancelled: "campaign.cancelled"
        case .deviceRegistered: "device.registered"
        }
    }
}

/// The topics that teams publish to.
public enum TopicKind: String, CaseIterable, Sendable {
    /// `location-events`, keyed by `locationId`.
    case location

    /// `campaign-events`, keyed by `campaignId`.
    case campaign

    /// `device-events`, keyed by `deviceId`.
    case device

    /// The type of an event without an envelope.
    public var bareType: EventType {
        switch self {
        case .location: .locationUpdated
        case .campaign: .campaignScheduled
        case .device: .deviceRegistered
        }
    }

    /// The field of `data` that is the record's key.
    var keyField: EventField {
        switch self {
        case .location: .locationID
        case .campaign: .campaignID
        case .device: .deviceID
        }
    }

    /// The types that the topic takes.
    var types: [EventType] { EventType.allCases.filter { $0.kind == self } }
}
