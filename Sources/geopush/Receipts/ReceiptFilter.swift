internal import Cryptography
internal import Events
internal import Operations

/// Which receipts a reader wants to see.
struct ReceiptFilter {
    private let event: String?
    private let campaign: String?
    private let location: String?
    private let device: String?
    private let status: String?
    /// The token, and what stands for it in receipts that hide it.
    private let tokens: Set<String>

    init(_ arguments: ParsedArguments) {
        event = arguments.text("event")
        campaign = arguments.text("campaign")
        location = arguments.text("location")
        device = arguments.text("device")
        status = arguments.text("status")
        tokens = arguments.text("token").map { [$0.lowercased(), Self.digest(of: $0.lowercased())] } ?? []
    }

    /// Whether a receipt has all that is asked for.
    func matches(_ receipt: Receipt) -> Bool {
        (event == nil || receipt.eventID == event)
            && (campaign == nil || receipt.campaignID == campaign)
            && (location == nil || receipt.locationID == location)
            && (device == nil || receipt.deviceID == device)
            && (status == nil || receipt.status == status)
            && (tokens.isEmpty || tokens.contains(receipt.token ?? ""))
    }

    private static func digest(of text: String) -> String {
        let bytes = Array(text.utf8)
        let digest = unsafe bytes.withUnsafeBytes { unsafe Digest.sha256($0) }
        var hex = ""
        for index in 0..<32 {
            let digits = String(digest[index], radix: 16)
            hex += digits.utf8.count == 1 ? "0" + digits : digits
        }
        return hex
    }
}
