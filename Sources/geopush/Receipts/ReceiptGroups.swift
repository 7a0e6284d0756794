internal import Events
internal import Operations

/// How many receipts of each status there are for each campaign or location.
struct ReceiptGroups {
    /// What receipts are counted by.
    enum Kind: String, CaseIterable {
        case campaign, location
    }

    private let kind: Kind
    /// Counts by status, by the campaign or location; nil is for receipts without one.
    private var groups: [String?: [String: Int]] = [:]
    private var total = 0

    init(by kind: Kind) { self.kind = kind }

    /// Counts a receipt.
    mutating func add(_ receipt: Receipt) {
        let id = kind == .campaign ? receipt.campaignID : receipt.locationID
        groups[id, default: [:]][receipt.status, default: 0] += 1
        total += 1
    }

    /// The largest group first, and what belongs to none last.
    private var sorted: [(id: String?, counts: [String: Int], total: Int)] {
        groups.map { (id: $0.key, counts: $0.value, total: $0.value.values.reduce(0, +)) }.sorted { left, right in
            guard let leftID = left.id else { return false }
            guard let rightID = right.id else { return true }
            return left.total == right.total ? leftID < rightID : left.total > right.total
        }
    }

    /// Every status there is, in the order of ``ReceiptStatus``.
    private var statuses: [String] {
        let found = Set(groups.values.flatMap(\.keys))
        let known = ReceiptStatus.allCases.map(\.rawValue)
        return known.filter(found.contains) + found.subtracting(known).sorted()
    }

    /// The table for people.
    var table: String {
        let statuses = statuses
        var table = TextTable(header: [kind.rawValue.uppercased()] + statuses.map { $0.uppercased() } + ["TOTAL"])
        table.numbers = Set(1...statuses.count + 1)
        for group in sorted {
            let counts = statuses.map { "\(group.counts[$0] ?? 0)" }
            table.rows.append([VisibleText.line(group.id ?? "-")] + counts + ["\(group.total)"])
        }
        let totals = statuses.map { status in groups.values.reduce(0) { $0 + ($1[status] ?? 0) } }
        table.rows.append(["total"] + totals.map { "\($0)" } + ["\(total)"])
        return table.text
    }

    /// One JSON object on one line.
    var json: String {
        let statuses = statuses
        let list = sorted.map { group in
            let counts = statuses.compactMap { status in
                group.counts[status].map { "\(JSONText.quoted(status)):\($0)" }
            }
            return "{\"\(kind.rawValue)\":\(group.id.map(JSONText.quoted) ?? "null"),\"total\":\(group.total),"
                + "\"statuses\":{\(counts.joined(separator: ","))}}"
        }
        return "{\"total\":\(total),\"groups\":[\(list.joined(separator: ","))]}\n"
    }
}
