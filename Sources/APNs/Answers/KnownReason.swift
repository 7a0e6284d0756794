internal import Glibc

/// A reason that Apple documents, or that is seen on the wire.
///
/// `BadEnvironmentKeyIdInToken` is documented and `BadEnvironmentKeyInToken` is sent, so there are both. The last nine
/// belong to the broadcast interface.
public enum KnownReason: UInt8, Sendable, CaseIterable {
    /// `BadCollapseId`.
    case badCollapseID
    /// `BadDeviceToken`.
    case badDeviceToken
    /// `BadExpirationDate`.
    case badExpirationDate
    /// `BadMessageId`.
    case badMessageID
    /// `BadPriority`.
    case badPriority
    /// `BadTopic`.
    case badTopic
    /// `DeviceTokenNotForTopic`.
    case deviceTokenNotForTopic
    /// `DuplicateHeaders`.
    case duplicateHeaders
    /// `IdleTimeout`.
    case idleTimeout
    /// `InvalidPushType`.
    case invalidPushType
    /// `MissingDeviceToken`.
    case missingDeviceToken
    /// `MissingTopic`.
    case missingTopic
    /// `PayloadEmpty`.
    case payloadEmpty
    /// `TopicDisallowed`.
    case topicDisallowed
    /// `BadCertificate`.
    case badCertificate
    /// `BadCertificateEnvironment`.
    case badCertificateEnvironment
    /// `ExpiredProviderToken`.
    case expiredProviderToken
    /// `Forbidden`.
    case forbidden
    /// `InvalidProviderToken`.
    case invalidProviderToken
    /// `MissingProviderToken`.
    case missingProviderToken
    /// `UnrelatedKeyIdInToken`.
    case unrelatedKeyIDInToken
    /// `BadEnvironmentKeyIdInToken`.
    case badEnvironmentKeyIDInToken
    /// `BadEnvironmentKeyInToken`.
    case badEnvironmentKeyInToken
    /// `BadPath`.
    case badPath
    /// `MethodNotAllowed`.
    case methodNotAllowed
    /// `ExpiredToken`.
    case expiredToken
    /// `Unregistered`.
    case unregistered
    /// `PayloadTooLarge`.
    case payloadTooLarge
    /// `TooManyProviderTokenUpdates`.
    case tooManyProviderTokenUpdates
    /// `TooManyRequests`.
    case tooManyRequests
    /// `InternalServerError`.
    case internalServerError
    /// `ServiceUnavailable`.
    case serviceUnavailable
    /// `Shutdown`.
    case shutdown
    /// `BadChannelId`.
    case badChannelID
    /// `BadRequestParams`.
    case badRequestParams
    /// `BadRequestPayload`.
    case badRequestPayload
    /// `CannotCreateChannelConfig`.
    case cannotCreateChannelConfig
    /// `ChannelNotRegistered`.
    case channelNotRegistered
    /// `FeatureNotEnabled`.
    case featureNotEnabled
    /// `MissingChannelId`.
    case missingChannelID
    /// `MissingPushType`.
    case missingPushType
    /// `TopicMismatch`.
    case topicMismatch

    /// Apple's own spelling.
    public var name: StaticString {
        switch self {
        case .badCollapseID: "BadCollapseId"
        case .badDeviceToken: "BadDeviceToken"
        case .badExpirationDate: "BadExpirationDate"
        case .badMessageID: "BadMessageId"
        case .badPriority: "BadPriority"
        case .badTopic: "BadTopic"
        case .deviceTokenNotForTopic: "DeviceTokenNotForTopic"
        case .duplicateHeaders: "DuplicateHeaders"
        case .idleTimeout: "IdleTimeout"
        case .invalidPushType: "InvalidPushType"
        case .missingDeviceToken: "MissingDeviceToken"
        case .missingTopic: "MissingTopic"
        case .payloadEmpty: "PayloadEmpty"
        case .topicDisallowed: "TopicDisallowed"
        case .badCertificate: "BadCertificate"
        case .badCertificateEnvironment: "BadCertificateEnvironment"
        case .expiredProviderToken: "ExpiredProviderToken"
        case .forbidden: "Forbidden"
        case .invalidProviderToken: "InvalidProviderToken"
        case .missingProviderToken: "MissingProviderToken"
        case .unrelatedKeyIDInToken: "UnrelatedKeyIdInToken"
        case .badEnvironmentKeyIDInToken: "BadEnvironmentKeyIdInToken"
        case .badEnvironmentKeyInToken: "BadEnvironmentKeyInToken"
        case .badPath: "BadPath"
        case .methodNotAllowed: "MethodNotAllowed"
        case .expiredToken: "ExpiredToken"
        case .unregistered: "Unregistered"
        case .payloadTooLarge: "PayloadTooLarge"
        case .tooManyProviderTokenUpdates: "TooManyProviderTokenUpdates"
        case .tooManyRequests: "TooManyRequests"
        case .internalServerError: "InternalServerError"
        case .serviceUnavailable: "ServiceUnavailable"
        case .shutdown: "Shutdown"
        case .badChannelID: "BadChannelId"
        case .badRequestParams: "BadRequestParams"
        case .badRequestPayload: "BadRequestPayload"
        case .cannotCreateChannelConfig: "CannotCreateChannelConfig"
        case .channelNotRegistered: "ChannelNotRegistered"
        case .featureNotEnabled: "FeatureNotEnabled"
        case .missingChannelID: "MissingChannelId"
        case .missingPushType: "MissingPushType"
        case .topicMismatch: "TopicMismatch"
        }
    }

    /// Finds a reason by its spelling, without allocating.
    ///
    /// - Parameter bytes: The value of the member `reason`.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return nil }
        for reason in Self.first...Self.last {
            guard let candidate = KnownReason(rawValue: reason) else { continue }
            let name = candidate.name
            if name.utf8CodeUnitCount == bytes.count, unsafe memcmp(name.utf8Start, start, bytes.count) == 0 {
                self = candidate
                return
            }
        }
        return nil
    }

    private static var first: UInt8 { KnownReason.badCollapseID.rawValue }
    private static var last: UInt8 { KnownReason.topicMismatch.rawValue }
}
