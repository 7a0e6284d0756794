/// How a push ended.
public enum ReceiptStatus: String, CaseIterable, Sendable {
    /// APNs took it. That is no promise that the device got it.
    case accepted

    /// APNs refused it for good, or we did before asking.
    case rejected

    /// The token is no longer valid for the app.
    case unregistered

    /// Its time had passed before APNs took it.
    case expired

    /// Nothing was sent on purpose.
    case suppressed

    /// It could not be sent, and trying on would not help.
    case failed

    /// The word in the receipt.
    public var text: StaticString {
        switch self {
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .unregistered: "unregistered"
        case .expired: "expired"
        case .suppressed: "suppressed"
        case .failed: "failed"
        }
    }
}

/// What a receipt says of the device's token.
public enum TokenDisclosure: String, CaseIterable, Sendable {
    /// The token itself.
    case plain

    /// The SHA-256 of its hexadecimal digits, in hexadecimal.
    case hash
}
