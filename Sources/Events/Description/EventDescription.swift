/// The events that teams publish, described once: the checks read it, and what documents them is tested against it.
enum EventDescription {
    /// `data` of each event type.
    static func data(of type: EventType) -> ObjectDescription {
        switch type {
        case .locationUpdated: locationUpdated
        case .locationDeleted: locationDeleted
        case .campaignScheduled: campaignScheduled
        case .campaignCancelled: campaignCancelled
        case .deviceRegistered: deviceRegistered
        }
    }

    private static let latitude = ValueShape.number(-90...90)
    private static let longitude = ValueShape.number(-180...180)
    private static let revision = ValueShape.integer(0...Int64.max)
    private static let badge = ValueShape.integer(0...Int64(Int32.max))

    /// The environments of APNs.
    static let environment = ValueShape.choice(["production", "sandbox"])

    private static let locationUpdated = ObjectDescription([
        .required("locationId", .id),
        .required("revision", revision),
        .required("latitude", latitude),
        .required("longitude", longitude),
        .required("radius", .positive),
        .required("app", .id),
        .optional("name", .text),
        .optional("notifyOnEntry", .flag),
        .optional("notifyOnExit", .flag),
        .optional("repeats", .flag),
        .optional("notification", .object(notification)),
        .optional("inlineRegion", .flag),
        .optional("audience", .object(audience)),
        .optional("expiresAt", .time),
    ])

    private static let locationDeleted = ObjectDescription([
        .required("locationId", .id),
        .required("revision", revision),
        .required("app", .id),
        .required("audience", .object(audience)),
        .optional("expiresAt", .time),
    ])

    private static let campaignScheduled = ObjectDescription([
        .required("campaignId", .id),
        .required("locationIds", .list(of: .id, atLeast: 1)),
        .required("app", .id),
        .required("audience", .object(audience)),
        .optional("custom", .anyObject),
        .optional("alert", .textOrObject(alert)),
        .optional("sound", .filledText),
        .optional("badge", badge),
        .optional("category", .filledText),
        .optional("action", .link),
        .optional("deliverAt", .time),
        .optional("expiresAt", .time),
        .optional("collapseId", .line(bytesMax: 1_024)),
        .optional("priority", .integer(1...10)),
    ])

    private static let campaignCancelled = ObjectDescription([.required("campaignId", .id)])

    private static let deviceRegistered = ObjectDescription([
        .required("deviceId", .id),
        .required("token", .token),
        .required("app", .id),
        .required("environment", environment),
        .required("registeredAt", .time),
        .optional("platform", .id),
        .optional("tags", .list(of: .id, atLeast: 0)),
        .optional("subscriptions", .list(of: .id, atLeast: 0)),
        .optional("position", .object(position)),
        .optional("permissions", .anyObject),
        .optional("regionCapacity", .integer(0...1_000_000)),
    ])

    /// The local notification that the app shows at a place; passed on to the app as it is.
    static let notification = ObjectDescription([
        .optional("title", .filledText),
        .optional("titleLocKey", .filledText),
        .optional("titleLocArgs", .list(of: .text, atLeast: 0)),
        .optional("body", .filledText),
        .optional("locKey", .filledText),
        .optional("locArgs", .list(of: .text, atLeast: 0)),
        .optional("sound", .filledText),
        .optional("badge", badge),
        .optional("category", .filledText),
        .optional("launchImage", .filledText),
        .optional("actionLabel", .filledText),
        .optional("actionUrl", .link),
    ])

    /// `aps.alert` as Apple names its keys, with `action-loc-key` of older apps.
    static let alert = ObjectDescription([
        .optional("title", .filledText),
        .optional("title-loc-key", .filledText),
        .optional("title-loc-args", .list(of: .text, atLeast: 0)),
        .optional("subtitle", .filledText),
        .optional("subtitle-loc-key", .filledText),
        .optional("subtitle-loc-args", .list(of: .text, atLeast: 0)),
        .optional("body", .filledText),
        .optional("loc-key", .filledText),
        .optional("loc-args", .list(of: .text, atLeast: 0)),
        .optional("action-loc-key", .filledText),
        .optional("launch-image", .filledText),
    ])

    private static let audience = ObjectDescription([
        .optional("devices", .devices(device)),
        .optional("subscribersOf", .list(of: .id, atLeast: 1)),
        .optional("tags", .object(tags)),
        .optional("near", .object(near)),
        .optional("everyone", .yes),
    ])

    private static let device = ObjectDescription([
        .required("token", .text),
        .optional("deviceId", .id),
        .optional("environment", environment),
    ])

    private static let tags = ObjectDescription([
        .optional("all", .list(of: .id, atLeast: 1)),
        .optional("any", .list(of: .id, atLeast: 1)),
        .optional("none", .list(of: .id, atLeast: 1)),
    ])

    private static let near = ObjectDescription([
        .required("latitude", latitude),
        .required("longitude", longitude),
        .required("meters", .positive),
        .optional("maxAgeSeconds", .integer(1...Int64.max)),
    ])

    private static let position = ObjectDescription([
        .required("latitude", latitude),
        .required("longitude", longitude),
        .required("at", .time),
    ])
}
