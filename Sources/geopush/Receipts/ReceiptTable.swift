internal import Events

/// Receipts as lines for people.
enum ReceiptTable {
    private static let columns = Columns(widths: [24, 12, 28, 24, 24, 24])
    private static let statusColumn = 1

    /// The line above the receipts.
    static let header = columns.line(["TIME", "STATUS", "REASON", "DEVICE", "LOCATION", "CAMPAIGN", "EVENT"])

    /// The line of one receipt.
    ///
    /// - Parameters:
    ///   - receipt: The receipt.
    ///   - isColoured: Whether its status gets a colour.
    /// - Returns: The line.
    static func line(_ receipt: Receipt, isColoured: Bool) -> String {
        let cells = [
            receipt.time, receipt.status, receipt.reason ?? "-",
            receipt.deviceID ?? receipt.token.map { "\($0.prefix(16))…" } ?? "-", receipt.locationID ?? "-",
            receipt.campaignID ?? "-", receipt.eventID ?? "-",
        ].map(VisibleText.line)
        guard isColoured, let colour = colour(of: receipt.status) else { return columns.line(cells) }
        return columns.line(cells) { index, cell in
            index == statusColumn ? "\u{1B}[\(colour)m\(cell)\u{1B}[0m" : cell
        }
    }

    /// Green for what went well, red for what is wrong, yellow for a dead token, dim for what was not sent.
    private static func colour(of status: String) -> String? {
        switch ReceiptStatus(rawValue: status) {
        case .accepted: "32"
        case .rejected, .failed: "31"
        case .unregistered: "33"
        case .expired, .suppressed: "2"
        case nil: nil
        }
    }
}
