/// The values of a push as they came, borrowed from its record; an empty one is absent.
@safe
public struct PushFields {
    /// The device token, hexadecimal.
    public var token = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// `apns-topic`.
    public var topic = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// `apns-push-type`; empty means `background`.
    public var pushType = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// `apns-priority`; empty means 5.
    public var priority = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// `apns-expiration`, seconds since 1970; empty means a default.
    public var expiration = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// `apns-collapse-id`; empty means none.
    public var collapseID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// `apns-id`; empty means that APNs makes one.
    public var apnsID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// The exact body.
    public var body = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// Makes a push without values.
    public init() {}
}

/// A push that may be sent: every value is known to be fit for its header.
///
/// Its values are borrowed, and must stay until the request is final.
@safe
public struct PushRequest {
    /// The longest device token, in hexadecimal digits; Apple says not to rely on a size.
    public static let tokenDigitsMax = 512
    /// The longest topic, in bytes.
    public static let topicBytesMax = 255
    /// The longest `apns-collapse-id`, in bytes.
    public static let collapseIDBytesMax = 64
    /// From here on an expiration is taken for milliseconds by mistake.
    public static let expirationSecondsMax: Int64 = 100_000_000_000

    /// The device token.
    public let token: UnsafeRawBufferPointer
    /// The topic.
    public let topic: UnsafeRawBufferPointer
    /// The type.
    public let type: PushType
    /// The priority.
    public let priority: Priority
    /// Seconds since 1970; 0 asks for one attempt.
    public let expirationSeconds: Int64
    /// The collapse id; empty where there is none.
    public let collapseID: UnsafeRawBufferPointer
    /// The id of the push; empty where there is none.
    public let apnsID: UnsafeRawBufferPointer
    /// The body.
    public let body: UnsafeRawBufferPointer

    /// Checks a push, without allocating.
    ///
    /// - Parameters:
    ///   - fields: Its values.
    ///   - defaultExpirationSeconds: The expiration where it has none.
    /// - Throws: The first fault.
    public init(_ fields: PushFields, defaultExpirationSeconds: Int64) throws(PushFault) {
        guard unsafe HeaderValue.isToken(fields.token) else { throw .invalidToken }
        guard unsafe HeaderValue.isVisible(fields.topic, bytesMax: Self.topicBytesMax) else { throw .invalidTopic }
        let type = unsafe fields.pushType.count == 0 ? PushType.background : PushType(fields.pushType)
        guard let type else { throw .invalidPushType }
        let priority = unsafe fields.priority.count == 0 ? Priority.powerAware : Priority(fields.priority)
        guard let priority, type != .background || priority == .powerAware else { throw .invalidPriority }
        let expiration =
            unsafe fields.expiration.count == 0 ? defaultExpirationSeconds : HeaderValue.seconds(fields.expiration)
        guard let expiration else { throw .invalidExpiration }
        guard
            unsafe fields.collapseID.count == 0
                || HeaderValue.isPrintable(fields.collapseID, bytesMax: Self.collapseIDBytesMax)
        else { throw .invalidCollapseID }
        guard unsafe fields.apnsID.count == 0 || HeaderValue.isUUID(fields.apnsID) else { throw .invalidApnsID }
        guard unsafe fields.body.count > 0 else { throw .payloadEmpty }
        guard unsafe fields.body.count <= type.bodyBytesMax else { throw .payloadTooLarge }
        unsafe self.token = unsafe fields.token
        unsafe self.topic = unsafe fields.topic
        self.type = type
        self.priority = priority
        self.expirationSeconds = expiration
        unsafe self.collapseID = unsafe fields.collapseID
        unsafe self.apnsID = unsafe fields.apnsID
        unsafe self.body = unsafe fields.body
    }

    /// Whether it goes to the topic of its app, so that a refused topic is the credential's fault and not the push's.
    ///
    /// - Parameter appTopic: The topic that the configuration gives the app.
    /// - Returns: True if the topic is exactly that, and the type is one that has no suffix.
    public func hasTopic(ofApp appTopic: UnsafeRawBufferPointer) -> Bool {
        unsafe type.hasBareTopic && HeaderValue.areEqual(topic, appTopic)
    }
}
