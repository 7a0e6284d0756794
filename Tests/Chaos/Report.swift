import Foundation

/// What a run has shown, printed as one JSON object.
struct Report: Encodable {
    /// What was done.
    var seed: UInt64 = 0
    var seconds = 0
    var events = 0
    var pushes = 0
    var workerKills = 0
    var brokerKills = 0
    var pauses = 0
    var replacements = 0
    var evictions = 0
    var apnsFaults = 0

    /// Of every (event, token): how many have no receipt.
    var lost = 0
    /// Events that are not exactly once in the topic of pushes.
    var pushesMissing = 0
    var pushesDoubled = 0
    /// Accepted receipts without an accepted request of that apns-id, and the reverse.
    var acceptedWithoutRequest = 0
    var requestsWithoutReceipt = 0
    /// Pushes that were answered before an earlier one of their token.
    var disordered = 0
    /// Committed pushes that lacked their receipt when that was looked at.
    var committedWithoutReceipt = 0
    /// Pushes with more than one apns-id.
    var apnsIDsChanged = 0
    /// Requests that were accepted again, and how many there may be.
    var sentTwice = 0
    var bound = 0

    var receipts = 0
    var audits = 0
    var exitCodes: [Int32] = []
    var endedByThemselves: [String] = []
    var peakMiB = 0
    var settledSeconds = 0.0

    /// More memory than that is a leak.
    private static let peakMiBMax = 100

    /// Whether the run has kept the promise.
    var isKept: Bool {
        lost == 0 && pushesMissing == 0 && pushesDoubled == 0 && acceptedWithoutRequest == 0
            && requestsWithoutReceipt == 0 && disordered == 0 && committedWithoutReceipt == 0 && apnsIDsChanged == 0
            && sentTwice <= bound && exitCodes.allSatisfy { $0 == 0 } && endedByThemselves.isEmpty
            && peakMiB <= Self.peakMiBMax
    }

    /// The report on one line.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Report {
    /// Compares the topics with each other and with the simulator's log.
    ///
    /// - Parameters:
    ///   - pushes: All that is in the topic of pushes.
    ///   - receipts: All receipts.
    ///   - requests: All requests, in the order of their answers.
    mutating func compare(_ pushes: [PushEntry], _ receipts: [ReceiptEntry], _ requests: [RequestEntry]) {
        let count = self.pushes
        var written = [Int](repeating: 0, count: count)
        for push in pushes { written[push.id] += 1 }
        pushesMissing = written.count { $0 == 0 }
        pushesDoubled = written.reduce(0) { $0 + max(0, $1 - 1) }

        var isReceipted = [Bool](repeating: false, count: count)
        var acceptedIDs = [String?](repeating: nil, count: count)
        for receipt in receipts {
            isReceipted[receipt.id] = true
            guard receipt.isAccepted else { continue }
            if let known = acceptedIDs[receipt.id], known != receipt.apnsID { apnsIDsChanged += 1 }
            acceptedIDs[receipt.id] = receipt.apnsID
        }
        lost = isReceipted.count { !$0 }
        self.receipts = receipts.count

        var requestIDs = [String?](repeating: nil, count: count)
        var accepted = [Int](repeating: 0, count: count)
        for request in requests where request.status == 200 {
            accepted[request.id] += 1
            requestIDs[request.id] = request.apnsID
        }
        sentTwice = accepted.reduce(0) { $0 + max(0, $1 - 1) }
        for id in 0..<count {
            if let known = acceptedIDs[id], requestIDs[id] != known { acceptedWithoutRequest += 1 }
            if requestIDs[id] != nil, acceptedIDs[id] == nil { requestsWithoutReceipt += 1 }
        }
        disordered = Self.disordered(requests)
    }

    /// A revision whose first good answer came after that of a later one was overtaken.
    private static func disordered(_ requests: [RequestEntry]) -> Int {
        var latest: [Int: Int] = [:]
        var seen = Set<Int>()
        var overtaken = 0
        for request in requests where request.status == 200 && seen.insert(request.id).inserted {
            let event = request.id / Load.devices
            let token = event % Load.places * Load.devices + request.id % Load.devices
            let revision = event / Load.places
            if revision < latest[token, default: -1] { overtaken += 1 }
            latest[token] = max(revision, latest[token, default: -1])
        }
        return overtaken
    }
}
