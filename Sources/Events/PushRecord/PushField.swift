/// What a push record says beside its key and its body (design of the topic `pushes`).
///
/// The names are a public interface: those of the APNs request headers, and our own.
public enum PushField: UInt8, CaseIterable, Sendable {
    case apnsTopic, apnsPushType, apnsPriority, apnsExpiration, apnsCollapseID, apnsID
    case app, environment, eventID, campaignID, locationID, deviceID, devicePartition, registeredAt, revision
    case queuedAt, traceparent, version

    /// How many there are.
    public static let count = 18

    /// The name in the record.
    public var name: StaticString {
        switch self {
        case .apnsTopic: "apns-topic"
        case .apnsPushType: "apns-push-type"
        case .apnsPriority: "apns-priority"
        case .apnsExpiration: "apns-expiration"
        case .apnsCollapseID: "apns-collapse-id"
        case .apnsID: "apns-id"
        case .app: "app"
        case .environment: "environment"
        case .eventID: "event-id"
        case .campaignID: "campaign-id"
        case .locationID: "location-id"
        case .deviceID: "device-id"
        case .devicePartition: "device-partition"
        case .registeredAt: "registered-at"
        case .revision: "revision"
        case .queuedAt: "queued-at"
        case .traceparent: "traceparent"
        case .version: "geopush-version"
        }
    }

    /// Finds a field by its name; nil for a name that means nothing here.
    ///
    /// - Parameter name: The bytes before the colon, or the name of a Kafka header.
    /// - Returns: The field.
    @inline(__always)
    public static func named(_ name: UnsafeRawBufferPointer) -> PushField? {
        guard let field = unsafe candidate(name) else { return nil }
        return unsafe name.equals(field.name) ? field : nil
    }

    /// The only field that a name of this length and these letters can be.
    @inline(__always)
    private static func candidate(_ name: UnsafeRawBufferPointer) -> PushField? {
        switch name.count {
        case 3: .app
        case 7: .apnsID
        case 8: unsafe name[0] == UInt8(ascii: "e") ? .eventID : .revision
        case 9: unsafe name[0] == UInt8(ascii: "d") ? .deviceID : .queuedAt
        case 10: .apnsTopic
        case 11:
            switch unsafe name[0] {
            case UInt8(ascii: "e"): .environment
            case UInt8(ascii: "c"): .campaignID
            case UInt8(ascii: "l"): .locationID
            default: .traceparent
            }
        case 13: unsafe name[0] == UInt8(ascii: "a") ? .apnsPriority : .registeredAt
        case 14: .apnsPushType
        case 15: unsafe name[0] == UInt8(ascii: "a") ? .apnsExpiration : .version
        case 16: unsafe name[0] == UInt8(ascii: "a") ? .apnsCollapseID : .devicePartition
        default: nil
        }
    }
}
