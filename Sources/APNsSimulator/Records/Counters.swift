/// The numbers behind the summary; confined to the loop.
struct Counters {
    private(set) var requests = 0
    private(set) var accepted = 0
    private var ids = IdentifierSet()
    private var known = InlineArray<40, Int>(repeating: 0)
    private var others: [String: Int] = [:]
    var connections = 0

    mutating func received() { requests += 1 }

    /// Counts an answer with status 200.
    ///
    /// - Parameter id: Its `apns-id`.
    mutating func accepted(id: Span<UInt8>) {
        accepted += 1
        _ = ids.insert(id)
    }

    mutating func rejected(_ rejection: Rejection) { known[Int(rejection.rawValue)] += 1 }

    /// Counts an answer outside Apple's list.
    mutating func rejected(other reason: String, status: Int) {
        let name = reason.isEmpty ? "\(status)" : reason
        // A name for each reason that rules can think up would be a leak.
        others[others.count < 1000 || others[name] != nil ? name : "other", default: 0] += 1
    }

    var summary: SimulatorSummary {
        var summary = SimulatorSummary()
        summary.requests = requests
        summary.accepted = accepted
        summary.rejected = others
        for rejection in Rejection.allCases where known[Int(rejection.rawValue)] > 0 {
            summary.rejected["\(rejection.reason)", default: 0] += known[Int(rejection.rawValue)]
        }
        summary.distinctApnsIDs = ids.count
        summary.duplicateAccepted = accepted - ids.count
        summary.connections = connections
        return summary
    }
}
