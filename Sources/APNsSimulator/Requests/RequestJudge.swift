internal import HTTP2

/// Whether APNs would take a request, and if not, why.
enum Verdict: Equatable {
    case accepted
    /// The time is that of a 410, in milliseconds since 1970.
    case rejected(Rejection, timestampMillis: Int64? = nil)
}

/// Checks a request in APNs' order: form, provider token, header fields, payload, device.
///
/// It decides on values alone: no clock, no socket. Apple publishes no order among faults of one request beyond "the
/// token before the device"; where two meet, this order is a choice.
struct RequestJudge {
    private static let collapseBytesMax = 64
    private static let deviceTokenDigitsMax = 400

    private let tokenRules: TokenRules
    private let apps: [[UInt8]]
    /// The devices that exist; nil: all well-formed tokens do.
    let devices: DeviceRegistry?

    /// Makes the judge of a simulator.
    ///
    /// - Throws: ``SimulatorError`` where a signing key is none.
    init(_ options: SimulatorOptions) throws(SimulatorError) {
        tokenRules = TokenRules(
            keys: try SigningKeys(options.signingKeys),
            environment: options.environment,
            updateMillis: Int64(options.tokenUpdateSeconds) * 1000,
            usesDocumentedKeyReason: options.usesDocumentedKeyReason
        )
        apps = options.apps.map { Array($0.utf8) }
        devices = options.devices.map { DeviceRegistry($0, environment: options.environment) }
    }

    /// Judges one request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - head: Where its fields stand.
    ///   - tokens: What its connection has shown; learns from this request.
    ///   - nowMillis: Monotonic time.
    ///   - wallMillis: Time since 1970.
    /// - Returns: The verdict.
    func verdict(
        on request: ServerRequest,
        _ head: PushHead,
        _ tokens: inout ConnectionTokens,
        nowMillis: Int64,
        wallMillis: Int64
    ) -> Verdict {
        let bytes = request.bytes
        if let fault = formFault(head, bytes) { return .rejected(fault) }
        let authorization = bytes.extracting(head.authorization.range)
        let token = tokens.rejection(of: authorization, tokenRules, nowMillis: nowMillis, wallMillis: wallMillis)
        if let token { return .rejected(token) }
        let type = head.pushType.isPresent ? PushType(bytes.extracting(head.pushType.range)) : nil
        if let fault = topicFault(head, bytes, type, keyIndex: tokens.keyIndex) { return .rejected(fault) }
        if let fault = fieldFault(head, bytes, type) { return .rejected(fault) }
        if request.bodyCount == 0 { return .rejected(.payloadEmpty) }
        if request.bodyCount > (type ?? .alert).payloadBytesMax { return .rejected(.payloadTooLarge) }
        return deviceVerdict(head, bytes)
    }

    private func formFault(_ head: PushHead, _ bytes: Span<UInt8>) -> Rejection? {
        if head.hasDuplicates { return .duplicateHeaders }
        guard bytes.extracting(head.method.range).equals("POST") else { return .methodNotAllowed }
        let path = bytes.extracting(head.path.range)
        guard path.starts(with: "/3/device") else { return .badPath }
        if path.equals("/3/device/") || path.equals("/3/device") { return .missingDeviceToken }
        return path.starts(with: "/3/device/") ? nil : .badPath
    }

    private func topicFault(
        _ head: PushHead,
        _ bytes: Span<UInt8>,
        _ type: PushType?,
        keyIndex: Int?
    ) -> Rejection? {
        let topic = bytes.extracting(head.topic.range)
        if topic.isEmpty { return .missingTopic }
        guard Self.isTopic(topic) else { return .badTopic }
        if let type {
            guard topic.ends(with: type.topicSuffix),
                type.topicSuffix.utf8CodeUnitCount > 0
                    || PushType.suffixed(topic) == nil
            else { return .topicDisallowed }
        }
        if !apps.isEmpty, !Self.isListed(topic, apps) { return .topicDisallowed }
        if let keyIndex {
            let keyTopics = tokenRules.keys.keys[keyIndex].topics
            if !keyTopics.isEmpty, !Self.isListed(topic, keyTopics) { return .topicDisallowed }
        }
        return nil
    }

    private func fieldFault(_ head: PushHead, _ bytes: Span<UInt8>, _ type: PushType?) -> Rejection? {
        if head.pushType.isPresent, type == nil { return .invalidPushType }
        let priority = bytes.extracting(head.priority.range)
        let isTen = !head.priority.isPresent || priority.equals("10")
        guard isTen || priority.equals("5") || priority.equals("1") else { return .badPriority }
        // Without the header it counts as 10, which a background push must not have.
        if type == .background, isTen { return .badPriority }
        if head.expiration.isPresent, bytes.extracting(head.expiration.range).decimal == nil {
            return .badExpirationDate
        }
        if head.collapseID.range.count > Self.collapseBytesMax { return .badCollapseID }
        if head.id.isPresent, !Self.isUUID(bytes.extracting(head.id.range)) { return .badMessageID }
        return nil
    }

    private func deviceVerdict(_ head: PushHead, _ bytes: Span<UInt8>) -> Verdict {
        let token = bytes.extracting(head.token(in: bytes))
        guard Self.isDeviceToken(token) else { return .rejected(.badDeviceToken) }
        guard let devices else { return .accepted }
        switch devices.find(token, topic: bytes.extracting(head.topic.range)) {
        case .registered: return .accepted
        case .unknown: return .rejected(.badDeviceToken)
        case .unregistered(let time): return .rejected(.unregistered, timestampMillis: time)
        case .otherTopic: return .rejected(.deviceTokenNotForTopic)
        }
    }

    private static func isTopic(_ topic: Span<UInt8>) -> Bool {
        guard topic.count <= 255 else { return false }
        for index in 0..<topic.count {
            switch topic[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                continue
            default: return false
            }
        }
        return true
    }

    /// Whether a topic is one of some bundle IDs, or one with the suffix of a push type.
    private static func isListed(_ topic: Span<UInt8>, _ bundleIDs: [[UInt8]]) -> Bool {
        let suffixCount = PushType.suffixed(topic)?.topicSuffix.utf8CodeUnitCount ?? 0
        let bare = topic.extracting(0..<topic.count - suffixCount)
        for index in bundleIDs.indices {
            if topic.equals(bundleIDs[index]) || bare.equals(bundleIDs[index]) { return true }
        }
        return false
    }

    /// Whether bytes are hexadecimal of whole bytes; Apple says not to count on a length.
    private static func isDeviceToken(_ token: Span<UInt8>) -> Bool {
        guard token.count > 0, token.count & 1 == 0, token.count <= deviceTokenDigitsMax else { return false }
        for index in 0..<token.count where !isHexadecimal(token[index]) { return false }
        return true
    }

    /// Whether bytes are a UUID in its canonical form, in either case.
    static func isUUID(_ text: Span<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in 0..<36 {
            let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
            guard isHyphen ? text[index] == UInt8(ascii: "-") : isHexadecimal(text[index]) else { return false }
        }
        return true
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
