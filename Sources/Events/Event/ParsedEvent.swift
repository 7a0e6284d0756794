/// A checked event, lent by its parser: valid until the parser reads the next record, and as long as the record.
@safe
public struct ParsedEvent {
    /// What it says.
    public internal(set) var type = EventType.locationUpdated

    /// Its CloudEvents `id`; `topic/partition/offset` for bare data.
    public internal(set) var id = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// Its CloudEvents `source`; `/topic` for bare data.
    public internal(set) var source = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// Its `traceparent`; empty without one.
    public internal(set) var traceParent = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The app's id; empty where the type names none.
    public internal(set) var app = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The app's place among the configured ones; -1 where none are configured.
    public internal(set) var appIndex = -1

    /// The campaign; empty for a place.
    public internal(set) var campaignID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The place, the first one of a campaign.
    public internal(set) var locationID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The key that its record should have: location, campaign or device.
    public internal(set) var key = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The revision of a place; -1 without one.
    public internal(set) var revision: Int64 = -1

    /// Whether it asks for pushes at all.
    public internal(set) var hasAudience = false

    /// Whether its audience needs the device table.
    public internal(set) var needsDeviceTable = false

    /// Whether its pushes show something.
    public internal(set) var isVisible = false

    /// The `apns-priority` of its pushes.
    public internal(set) var priority = 5

    /// When it is to be delivered, in milliseconds since 1970; -1 for at once.
    public internal(set) var deliverAtMillis: Int64 = -1

    /// When it expires, in milliseconds since 1970.
    public internal(set) var expiresAtMillis: Int64 = 0

    /// Whether it had expired when it was read.
    public internal(set) var isExpired = false

    /// The radius of a place in metres; 0 without one.
    public internal(set) var radius: Double = 0
}

/// What a record of a topic of events turned out to be.
public enum EventOutcome: Sendable, Equatable {
    /// A null value, valid everywhere; sends nothing.
    case tombstone

    /// An event; the parser lends it.
    case event

    /// Not an event; the parser has the faults.
    case faulty
}
