/// What is wrong with a push that any team may have written; it ends without a request.
public enum PushFault: UInt8, Error, Sendable, CaseIterable {
    /// The device token is not hexadecimal, of odd length, empty or too long.
    case invalidToken
    /// There is no topic, or it cannot stand in a header.
    case invalidTopic
    /// No type that Apple documents.
    case invalidPushType
    /// Not 1, 5 or 10, or not 5 for a silent push.
    case invalidPriority
    /// Not a whole number of seconds since 1970.
    case invalidExpiration
    /// Not 1 to 64 bytes of printable ASCII.
    case invalidCollapseID
    /// No UUID in its canonical form.
    case invalidApnsID
    /// There is no body.
    case payloadEmpty
    /// The body is larger than its type allows.
    case payloadTooLarge

    /// The reason in the receipt.
    public var reason: StaticString {
        switch self {
        case .invalidToken: "geopush:invalid-token"
        case .invalidTopic: "geopush:invalid-topic"
        case .invalidPushType: "geopush:invalid-push-type"
        case .invalidPriority: "geopush:invalid-priority"
        case .invalidExpiration: "geopush:invalid-expiration"
        case .invalidCollapseID: "geopush:invalid-collapse-id"
        case .invalidApnsID: "geopush:invalid-apns-id"
        case .payloadEmpty: "geopush:payload-empty"
        case .payloadTooLarge: "geopush:payload-too-large"
        }
    }
}
