/// One receipt as a reader sees it; for tools, not for the hot path.
public struct Receipt: Sendable, Equatable {
    /// The id of the CloudEvent: the `apns-id` of its push where it has one.
    public var id = ""

    /// When it was written, RFC 3339.
    public var time = ""

    /// How the push ended, as written; one of ``ReceiptStatus`` today.
    public var status = ""

    /// Why, Apple's own string or one that begins with `geopush:`.
    public var reason: String?

    /// The status of APNs' answer.
    public var httpStatus: Int?

    /// The id sent to APNs.
    public var apnsID: String?

    /// How many requests were made.
    public var attempts = 0

    /// When the token died, RFC 3339.
    public var unregisteredAt: String?

    /// The event that asked for the push.
    public var eventID: String?

    /// The campaign.
    public var campaignID: String?

    /// The location that the push names first.
    public var locationID: String?

    /// The device.
    public var deviceID: String?

    /// The token or its SHA-256, as the worker was told to write it.
    public var token: String?

    /// The app's id.
    public var app: String?

    /// `production` or `sandbox`.
    public var environment: String?

    /// When the push record was written, RFC 3339.
    public var queuedAt: String?

    /// When the last request went out, RFC 3339.
    public var sentAt: String?

    /// When its answer came, RFC 3339.
    public var answeredAt: String?

    /// Which process wrote it.
    public var worker: String?

    /// The receipt's `data` as compact JSON on one line.
    public var dataJSON = ""
}
