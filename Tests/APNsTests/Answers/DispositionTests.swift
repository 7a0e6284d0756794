import APNs
import Testing

/// Every status and reason of Apple's table, and what stands for the rest.
@Suite struct `Disposition table` {
    private static let table: [(UInt16, KnownReason, Disposition)] = [
        (400, .badCollapseID, .rejected),
        (400, .badDeviceToken, .rejected),
        (400, .badExpirationDate, .rejected),
        (400, .badMessageID, .rejected),
        (400, .badPriority, .rejected),
        (400, .badTopic, .rejected),
        (400, .deviceTokenNotForTopic, .rejected),
        (400, .duplicateHeaders, .suspectKey),
        (400, .idleTimeout, .reconnect),
        (400, .invalidPushType, .rejected),
        (400, .missingDeviceToken, .rejected),
        (400, .missingTopic, .suspectKey),
        (400, .payloadEmpty, .rejected),
        (400, .topicDisallowed, .rejected),
        (403, .badCertificate, .haltKey),
        (403, .badCertificateEnvironment, .haltKey),
        (403, .expiredProviderToken, .refreshToken),
        (403, .forbidden, .haltKey),
        (403, .invalidProviderToken, .haltKey),
        (403, .missingProviderToken, .haltKey),
        (403, .unrelatedKeyIDInToken, .reconnect),
        (403, .badEnvironmentKeyIDInToken, .haltKey),
        (403, .badEnvironmentKeyInToken, .haltKey),
        (404, .badPath, .suspectKey),
        (405, .methodNotAllowed, .suspectKey),
        (410, .expiredToken, .unregistered),
        (410, .unregistered, .unregistered),
        (413, .payloadTooLarge, .rejected),
        (429, .tooManyProviderTokenUpdates, .restConnection),
        (429, .tooManyRequests, .retryDevice),
        (500, .internalServerError, .retry),
        (503, .serviceUnavailable, .retry),
        (503, .shutdown, .reconnect),
        (400, .badChannelID, .rejected),
        (400, .badRequestParams, .rejected),
        (400, .badRequestPayload, .rejected),
        (400, .cannotCreateChannelConfig, .rejected),
        (400, .channelNotRegistered, .rejected),
        (400, .featureNotEnabled, .rejected),
        (400, .missingChannelID, .rejected),
        (400, .missingPushType, .rejected),
        (403, .topicMismatch, .rejected),
    ]

    @Test(arguments: table)
    func `maps each documented answer`(status: UInt16, reason: KnownReason, expected: Disposition) {
        #expect(disposition(status, .known(reason)) == expected)
    }

    @Test func `has a row for every known reason`() {
        #expect(Set(Self.table.map(\.1)) == Set(KnownReason.allCases))
    }

    @Test func `takes 200 as accepted whatever the body says`() {
        #expect(disposition(200, nil) == .accepted)
        #expect(disposition(200, .known(.badDeviceToken)) == .accepted)
    }

    @Test(arguments: [KnownReason.badTopic, .topicDisallowed, .topicMismatch])
    func `blames the credential for the app's own topic, and the push for another`(reason: KnownReason) {
        #expect(disposition(400, .known(reason), isAppTopic: true) == .holdApp)
        #expect(disposition(400, .known(reason), isAppTopic: false) == .rejected)
    }

    @Test func `changes nothing but refused topics by whether the topic is the app's`() {
        for (status, reason, expected) in Self.table
        where ![.badTopic, .topicDisallowed, .topicMismatch].contains(reason) {
            #expect(disposition(status, .known(reason), isAppTopic: true) == expected)
        }
    }

    @Test(
        arguments: [
            (400, Disposition.rejected), (401, .suspectKey), (403, .suspectKey), (404, .rejected), (405, .rejected),
            (407, .suspectKey), (408, .retry), (410, .rejected), (413, .rejected), (418, .rejected), (421, .reconnect),
            (425, .retry), (429, .retry), (499, .rejected), (500, .retry), (502, .retry), (503, .retry), (599, .retry),
            (100, .retry), (201, .retry), (204, .retry), (302, .retry), (600, .retry), (0, .retry),
        ] as [(UInt16, Disposition)]
    )
    func `decides by the status where the reason is unknown or missing`(status: UInt16, expected: Disposition) {
        #expect(disposition(status, nil) == expected)
        #expect(disposition(status, .unknown("ReasonOfTomorrow")) == expected)
    }

    @Test func `drops a device token for an unknown reason only with a timestamp`() {
        let reason = Reason.unknown("ReasonOfTomorrow")
        #expect(Disposition.of(status: 410, reason: reason, hasTimestamp: true, isAppTopic: true) == .unregistered)
        #expect(Disposition.of(status: 410, reason: reason, hasTimestamp: false, isAppTopic: true) == .rejected)
        #expect(Disposition.of(status: 410, reason: nil, hasTimestamp: true, isAppTopic: true) == .unregistered)
        #expect(Disposition.of(status: 400, reason: reason, hasTimestamp: true, isAppTopic: true) == .rejected)
    }

    @Test func `believes that a device token is gone only with its status`() {
        #expect(disposition(400, .known(.unregistered)) == .rejected)
        #expect(disposition(404, .known(.expiredToken)) == .rejected)
    }

    @Test func `lets a server error win over the reason of another class`() {
        #expect(disposition(503, .known(.badDeviceToken)) == .retry)
        #expect(disposition(500, .known(.unregistered)) == .retry)
        #expect(disposition(400, .known(.internalServerError)) == .retry)
        #expect(disposition(400, .known(.shutdown)) == .reconnect)
    }

    @Test func `ends no push for the fault of the key`() {
        for reason in KnownReason.allCases {
            let disposition = disposition(403, .known(reason), isAppTopic: true)
            switch reason {
            case .badCertificate, .badCertificateEnvironment, .forbidden, .invalidProviderToken, .missingProviderToken,
                .badEnvironmentKeyIDInToken, .badEnvironmentKeyInToken, .expiredProviderToken,
                .tooManyProviderTokenUpdates, .unrelatedKeyIDInToken, .topicDisallowed, .badTopic, .topicMismatch,
                .missingTopic:
                #expect(!disposition.isFinal)
            default: break
            }
        }
    }

    @Test(arguments: [
        (KnownReason.shutdown, Disposition.reconnect), (.idleTimeout, .reconnect), (.badDeviceToken, .reconnect),
        (.badCertificateEnvironment, .haltKey), (.invalidProviderToken, .haltKey), (.forbidden, .haltKey),
        (.expiredProviderToken, .refreshToken), (.tooManyProviderTokenUpdates, .restConnection),
        (.internalServerError, .reconnect), (.topicDisallowed, .reconnect),
    ])
    func `reads the reason of a GOAWAY`(reason: KnownReason, expected: Disposition) {
        #expect(Disposition.of(goAway: .known(reason)) == expected)
    }

    @Test func `takes a GOAWAY without a known reason as an ordinary end`() {
        #expect(Disposition.of(goAway: nil) == .reconnect)
        #expect(Disposition.of(goAway: .unknown("Maximum active streams violated")) == .reconnect)
    }

    private func disposition(_ status: UInt16, _ reason: Reason?, isAppTopic: Bool = false) -> Disposition {
        .of(status: status, reason: reason, hasTimestamp: false, isAppTopic: isAppTopic)
    }
}
