extension Disposition {
    /// The one table from status and reason to what they mean.
    ///
    /// A reason counts within its status class; across classes the status does (a 503 that names a 400 reason is a 503).
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - reason: The reason in its body, if any.
    ///   - hasTimestamp: Whether its body has a timestamp, which only device tokens that are gone get.
    ///   - isAppTopic: Whether the push has the topic that the configuration gives its app, and a type that is sent
    ///     there; else a refused topic is the fault of who wrote the push.
    /// - Returns: What the answer means.
    public static func of(status: UInt16, reason: Reason?, hasTimestamp: Bool, isAppTopic: Bool) -> Disposition {
        switch status {
        case 200:
            return .accepted
        case 410:
            switch reason?.known {
            case .unregistered, .expiredToken: return .unregistered
            // Never drop a device token for a reason that is not understood.
            default: return hasTimestamp ? .unregistered : .rejected
            }
        case 400..<500:
            guard let known = reason?.known else { return ofUnknown(clientError: status) }
            return of(clientError: known, isAppTopic: isAppTopic)
        case 500..<600:
            return reason?.known == .shutdown ? .reconnect : .retry
        default:
            // No status of APNs: something stands between, and may go away.
            return .retry
        }
    }

    /// What the reason in a GOAWAY means for the key.
    ///
    /// - Parameter reason: The reason in its debug data, if any.
    /// - Returns: `haltKey`, `refreshToken` or `restConnection`, else `reconnect`.
    public static func of(goAway reason: Reason?) -> Disposition {
        guard let known = reason?.known else { return .reconnect }
        return switch of(clientError: known, isAppTopic: false) {
        case .haltKey: .haltKey
        case .refreshToken: .refreshToken
        case .restConnection: .restConnection
        default: .reconnect
        }
    }

    private static func of(clientError reason: KnownReason, isAppTopic: Bool) -> Disposition {
        switch reason {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .deviceTokenNotForTopic,
            .invalidPushType, .missingDeviceToken, .payloadEmpty, .payloadTooLarge:
            .rejected
        case .expiredToken, .unregistered:
            // Without its status, 410, it is not believed.
            .rejected
        case .badChannelID, .badRequestParams, .badRequestPayload, .cannotCreateChannelConfig, .channelNotRegistered,
            .featureNotEnabled, .missingChannelID, .missingPushType:
            .rejected
        case .badTopic, .topicDisallowed, .topicMismatch:
            isAppTopic ? .holdApp : .rejected
        case .duplicateHeaders, .missingTopic, .badPath, .methodNotAllowed:
            // No push record can cause these: each header is checked and written once.
            .suspectKey
        case .badCertificate, .badCertificateEnvironment, .forbidden, .invalidProviderToken, .missingProviderToken,
            .badEnvironmentKeyIDInToken, .badEnvironmentKeyInToken:
            .haltKey
        case .expiredProviderToken: .refreshToken
        case .tooManyProviderTokenUpdates: .restConnection
        case .tooManyRequests: .retryDevice
        case .idleTimeout, .unrelatedKeyIDInToken, .shutdown: .reconnect
        case .internalServerError, .serviceUnavailable: .retry
        }
    }

    private static func ofUnknown(clientError status: UInt16) -> Disposition {
        switch status {
        // Credentials: Apple has added reasons to 403 more than once, and a proxy has its own.
        case 401, 403, 407: .suspectKey
        case 408, 425, 429: .retry
        // The request reached a server that does not serve it.
        case 421: .reconnect
        default: .rejected
        }
    }
}
