internal import Events

/// Receipts as lines for people.
enum ReceiptTable {
    private static let widths = [24, 12, 28, 24, 24, 24]

    /// The line above the receipts.
    static let header = line(["TIME", "STATUS", "REASON", "DEVICE", "LOCATION", "CAMPAIGN", "EVENT"])

    /// The line of one receipt.
    static func line(_ receipt: Receipt) -> String {
        line([
            receipt.time, receipt.status, receipt.reason ?? "-",
            receipt.deviceID ?? receipt.token.map { "\($0.prefix(16))…" } ?? "-", receipt.locationID ?? "-",
            receipt.campaignID ?? "-", receipt.eventID ?? "-",
        ])
    }

    private static func line(_ cells: [String]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            line += cell
            if index < widths.count { line += String(repeating: " ", count: max(0, widths[index] - cell.count) + 2) }
        }
        return line + "\n"
    }
}
