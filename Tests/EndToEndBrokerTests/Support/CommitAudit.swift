import EndToEndSupport
import Kafka

/// Compares what the group has committed with the receipts that are there, while workers come and go.
final class CommitAudit {
    /// What was committed at a moment.
    struct Snapshot {
        fileprivate let commits: [OffsetCommit]
        fileprivate let runs: [FinishedRuns]

        /// Whether a push was committed: below the offset, or named as finished beyond it.
        func covers(_ receipt: NumberedReceipt) -> Bool {
            receipt.offset < commits[receipt.partition].offset
                || runs[receipt.partition].runs.contains { $0.contains(receipt.offset) }
        }
    }

    private let positions: Positions
    private let pushes: String
    private let receipts: TopicLog<NumberedReceipt>
    private let partitions: Int
    /// Which offsets of each partition have a receipt.
    private var receipted: [[Bool]]
    /// The first offset of each partition without a receipt.
    private var firsts: [Int64]
    private var seen = 0
    /// How many pushes have a receipt.
    private(set) var receiptedCount = 0
    /// How often the two were compared.
    private(set) var count = 0
    /// How many committed pushes have lacked their receipt.
    private(set) var violations: [String] = []

    init(_ installation: Installation, _ receipts: TopicLog<NumberedReceipt>) throws {
        positions = try Positions(installation.settings("audit"), group: installation.prefix + "delivery")
        pushes = installation.prefix + "pushes"
        partitions = installation.partitions
        self.receipts = receipts
        receipted = .init(repeating: [], count: partitions)
        firsts = .init(repeating: 0, count: partitions)
    }

    /// Reads what is committed and then the receipts: each push that is committed must have one by now.
    ///
    /// - Returns: What was committed.
    @discardableResult
    func check() async throws -> Snapshot {
        let commits = try positions.commits(in: pushes, partitions: partitions)
        let snapshot = Snapshot(
            commits: commits,
            runs: commits.map { FinishedRuns(metadata: $0.metadata, base: $0.offset) }
        )
        try await receipts.readToEnd(positions)
        note()
        for partition in 0..<partitions {
            compare(partition, snapshot)
        }
        count += 1
        return snapshot
    }

    private func note() {
        for receipt in receipts.entries(from: seen) {
            seen += 1
            let offset = Int(receipt.offset)
            while receipted[receipt.partition].count <= offset { receipted[receipt.partition].append(false) }
            if !receipted[receipt.partition][offset] { receiptedCount += 1 }
            receipted[receipt.partition][offset] = true
        }
        for partition in 0..<partitions {
            while firsts[partition] < receipted[partition].count, receipted[partition][Int(firsts[partition])] {
                firsts[partition] += 1
            }
        }
    }

    private func compare(_ partition: Int, _ snapshot: Snapshot) {
        let offset = snapshot.commits[partition].offset
        if offset > firsts[partition] {
            violations.append("partition \(partition): \(offset) committed, no receipt at \(firsts[partition])")
        }
        for run in snapshot.runs[partition].runs {
            for offset in run
            where offset >= receipted[partition].count || !receipted[partition][Int(offset)] {
                violations.append("partition \(partition): \(offset) named as finished, without a receipt")
            }
        }
    }
}
