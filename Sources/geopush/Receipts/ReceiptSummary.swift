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
        var table = TextTable(header: ["STATUS", "REASON", "COUNT"], numbers: [2])
        table.rows = rows.map {
            [VisibleText.line($0.outcome.status), VisibleText.line($0.outcome.reason ?? "-"), "\($0.count)"]
        }
        table.rows.append(["total", "", "\(total)"])
        return table.text
    }

    /// The counts in a line, without reasons: `3 receipts: 2 accepted, 1 rejected`.
    ///
    /// - Parameter rate: How many come in a second, if that is to stand there.
    /// - Returns: The line, without a line feed.
    func line(rate: String? = nil) -> String {
        var counts: [(status: String, count: Int)] = []
        for row in rows {
            if counts.last?.status == row.outcome.status {
                counts[counts.count - 1].count += row.count
            } else {
                counts.append((row.outcome.status, row.count))
            }
        }
        let parts = counts.map { "\($0.count) \(VisibleText.line($0.status))" }
        let head = "\(total) \(total == 1 ? "receipt" : "receipts")\(rate.map { ", \($0)" } ?? "")"
        return parts.isEmpty ? head : "\(head): \(parts.joined(separator: ", "))"
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
