internal import APNs
internal import Events
internal import Glibc
internal import Observability

/// How many pushes ended with each status and reason: receipts, counted when they are written.
///
/// Its series are bounded: what this program does not know counts under the one reason `other`.
struct PushOutcomes: ~Copyable, Sendable {
    /// Our own reasons.
    static let own: [StaticString] =
        PushFault.allCases.map(\.reason) + ["geopush:unknown-app", "geopush:invalid-environment", EventPushes.expired]

    private static let statuses = 6
    /// No reason, Apple's, ours, and all others.
    private static let reasons = 2 + KnownReason.allCases.count + own.count

    private let table = CounterTable(size: PushOutcomes.statuses * PushOutcomes.reasons)

    /// Counts a push without a reason.
    @inline(__always)
    func count(_ status: ReceiptStatus) { table.add(at: Self.place(of: status)) }

    /// Counts a push with the reason of its last answer.
    func count(_ status: ReceiptStatus, _ reason: Reason) {
        let place = reason.known.map { 1 + Int($0.rawValue) } ?? 1 + KnownReason.allCases.count + Self.own.count
        table.add(at: Self.statuses * place + Self.place(of: status))
    }

    /// Counts pushes with a reason of ours.
    func count(_ status: ReceiptStatus, own reason: StaticString, times: Int = 1) {
        let index = Self.own.firstIndex { name in
            unsafe name.utf8CodeUnitCount == reason.utf8CodeUnitCount
                && memcmp(name.utf8Start, reason.utf8Start, name.utf8CodeUnitCount) == 0
        }
        let place = 1 + KnownReason.allCases.count + (index ?? Self.own.count)
        table.add(UInt64(times), at: Self.statuses * place + Self.place(of: status))
    }

    @inline(__always)
    private static func place(of status: ReceiptStatus) -> Int {
        switch status {
        case .accepted: 0
        case .rejected: 1
        case .unregistered: 2
        case .expired: 3
        case .suppressed: 4
        case .failed: 5
        }
    }

    /// Adds what is counted to a sum over all threads.
    func add(to sum: inout [UInt64]) {
        if sum.isEmpty { sum = .init(repeating: 0, count: table.size) }
        for index in sum.indices { sum[index] += table[index] }
    }

    /// Writes a sum: each status without a reason, each reason that is usual for a rejection, and all that is not 0.
    static func write(_ sum: [UInt64], to text: inout ExpositionText) {
        let names =
            [""] + KnownReason.allCases.map { "\($0.name)" } + own.map { "\($0)" } + ["other"]
        for status in ReceiptStatus.allCases {
            for (place, name) in names.enumerated() {
                let index = statuses * place + Self.place(of: status)
                let count = sum.isEmpty ? 0 : sum[index]
                if count > 0 || place == 0 || (status == .rejected && isUsual(place)) {
                    text.sample(count, "\(status.text)", name)
                }
            }
        }
    }

    /// A rejection may have this reason: a series that begins with its first event hides that event from rates.
    private static func isUsual(_ place: Int) -> Bool {
        guard place <= KnownReason.allCases.count else { return true }
        let known = KnownReason.allCases[place - 1]
        return Disposition.of(status: 400, reason: .known(known), hasTimestamp: false, isAppTopic: false) == .rejected
    }
}
