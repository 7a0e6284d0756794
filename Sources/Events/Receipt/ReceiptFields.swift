/// What a receipt says, lent from the push record and the answer; empty bytes and -1 mean that it does not say it.
///
/// Made once and used again: what belongs to the push is set by ``take(_:token:)``, the outcome by its owner.
@safe
public struct ReceiptFields {
    /// The most bytes of a text of the record's that a receipt repeats: ids have 128, a token 512 at most.
    public static let textBytesMax = 512

    /// How the push ended.
    public var status: ReceiptStatus = .accepted

    /// Why, Apple's own string or one that begins with `geopush:`.
    public var reason = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The status of APNs' answer; 0 without one.
    public var httpStatus: Int = 0

    /// How many requests were made.
    public var attempts: Int = 0

    /// When APNs says that the token died, in milliseconds since 1970.
    public var unregisteredAtMillis: Int64 = -1

    /// The id sent to APNs.
    public var apnsID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The event that asked for the push.
    public var eventID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The campaign, if one asked.
    public var campaignID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The location that the push names first.
    public var locationID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The device.
    public var deviceID = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The device's token in plain; the writer hides it where it must.
    public var token = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The app's id.
    public var app = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// `production` or `sandbox`.
    public var environment = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// When the push record was written, in milliseconds since 1970.
    public var queuedAtMillis: Int64 = -1

    /// When the last request went out.
    public var sentAtMillis: Int64 = -1

    /// When its answer came.
    public var answeredAtMillis: Int64 = -1

    /// The record that this receipt is about.
    public var topic = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The record's partition.
    public var partition: Int32 = 0

    /// The record's offset.
    public var offset: Int64 = 0

    /// The time of the receipt itself.
    public var atMillis: Int64 = 0

    /// The key and subject of a receipt that names neither device nor token: the key of the event.
    public var eventKey = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// Makes the fields of nothing yet.
    public init() {}

    /// Takes what a push record says, and forgets the outcome of the one before.
    ///
    /// - Parameters:
    ///   - push: The record's fields; they must outlive these.
    ///   - token: The record's key.
    public mutating func take(_ push: borrowing PushRecord, token: UnsafeRawBufferPointer) {
        unsafe self.token = Self.text(token)
        unsafe apnsID = Self.text(push[.apnsID])
        unsafe eventID = Self.text(push[.eventID])
        unsafe campaignID = Self.text(push[.campaignID])
        unsafe locationID = Self.text(push[.locationID])
        unsafe deviceID = Self.text(push[.deviceID])
        unsafe app = Self.text(push[.app])
        unsafe environment = Self.text(push[.environment])
        queuedAtMillis = push.integer(.queuedAt, absent: -1) ?? -1
        forgetOutcome()
    }

    /// As much of a text as a receipt repeats: a receipt that its topic does not take would hold its push for ever.
    ///
    /// - Parameter text: A text of the record.
    /// - Returns: Its first ``textBytesMax`` bytes.
    @inline(__always)
    public static func text(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe text.count <= textBytesMax ? text : text.part(0, textBytesMax)
    }

    /// Forgets what the answer said.
    public mutating func forgetOutcome() {
        unsafe reason = UnsafeRawBufferPointer(start: nil, count: 0)
        httpStatus = 0
        attempts = 0
        unregisteredAtMillis = -1
        sentAtMillis = -1
        answeredAtMillis = -1
    }
}
