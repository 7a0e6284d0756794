/// The fields of events that are read after they were checked, so that none is searched for by its name.
enum EventField: UInt8, CaseIterable {
    /// A field that nobody reads by itself.
    case none

    // Of the data.
    case app, campaignID, locationID, deviceID, locationIDs, revision, latitude, longitude, radius
    case notifyOnEntry, notifyOnExit, repeats, notification, inlineRegion, audience, deliverAt, expiresAt
    case collapseID, priority, alert, badge, sound, category, action, custom

    // Of the envelope.
    case id, source, type, data, contentType, traceParent

    /// The field of a name.
    init(named name: StaticString) {
        self = Self.allCases.first { unsafe name.bytes.equals($0.name) } ?? .none
    }

    /// The name in JSON.
    var name: StaticString {
        switch self {
        case .none: ""
        case .app: "app"
        case .campaignID: "campaignId"
        case .locationID: "locationId"
        case .deviceID: "deviceId"
        case .locationIDs: "locationIds"
        case .revision: "revision"
        case .latitude: "latitude"
        case .longitude: "longitude"
        case .radius: "radius"
        case .notifyOnEntry: "notifyOnEntry"
        case .notifyOnExit: "notifyOnExit"
        case .repeats: "repeats"
        case .notification: "notification"
        case .inlineRegion: "inlineRegion"
        case .audience: "audience"
        case .deliverAt: "deliverAt"
        case .expiresAt: "expiresAt"
        case .collapseID: "collapseId"
        case .priority: "priority"
        case .alert: "alert"
        case .badge: "badge"
        case .sound: "sound"
        case .category: "category"
        case .action: "action"
        case .custom: "custom"
        case .id: "id"
        case .source: "source"
        case .type: "type"
        case .data: "data"
        case .contentType: "datacontenttype"
        case .traceParent: "traceparent"
        }
    }
}
