internal import Events
internal import Operations

/// How many receipts there are of each status and reason.
struct ReceiptSummary {
    private struct Outcome: Hashable {
        let status: String
        let reason: String?
    }

    private var counts: [Outcome: Int] = [:]
    private(set) var total = 0

    /// Counts a receipt.
    mutating func add(_ receipt: Receipt) {
        counts[Outcome(status: receipt.status, reason: receipt.reason), default: 0] += 1
        total += 1
    }

    /// Statuses in the order of ``ReceiptStatus``, the most frequent reason first.
    private var rows: [(outcome: Outcome, count: Int)] {
        let order = ReceiptStatus.allCases.map(\.rawValue)
        return counts.map { (outcome: $0.key, count: $0.value) }.sorted { left, right in
            let leftRank = order.firstIndex(of: left.outcome.status) ?? order.count
            let rightRank = order.firstIndex(of: right.outcome.status) ?? order.count
            if leftRank != rightRank { return leftRank < rightRank }
            if left.count != right.count { return left.count > right.count }
            return (left.outcome.status, left.outcome.reason ?? "") < (right.outcome.status, right.outcome.reason ?? "")
        }
    }

    /// The table for people.
    var table: String {
        let lines =
            [("STATUS", "REASON", "COUNT")] + rows.map { ($0.outcome.status, $0.outcome.reason ?? "-", "\($0.count)") }
            + [("total", "", "\(total)")]
        let statusWidth = lines.map { $0.0.count }.max() ?? 0
        let reasonWidth = lines.map { $0.1.count }.max() ?? 0
        let countWidth = lines.map { $0.2.count }.max() ?? 0
        return lines.map { status, reason, count in
            let left = pad(status, statusWidth) + "  " + pad(reason, reasonWidth)
            return left + "  " + String(repeating: " ", count: countWidth - count.count) + count + "\n"
        }.joined()
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
    }

    /// One JSON object on one line.
    var json: String {
        let outcomes = rows.map { row in
            "{\"status\":\(JSONText.quoted(row.outcome.status)),"
                + "\"reason\":\(row.outcome.reason.map(JSONText.quoted) ?? "null"),\"count\":\(row.count)}"
        }
        return "{\"total\":\(total),\"outcomes\":[\(outcomes.joined(separator: ","))]}\n"
    }
}
