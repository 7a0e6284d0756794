import EndToEndSupport
import EventLoop
import Kafka

/// Compares what Delivery's group has committed with the receipts, again and again while things go wrong.
actor Audit {
    /// What was committed at a moment, and how many receipts were there.
    struct Snapshot: Sendable {
        let atMillis: Int64
        let receiptCount: Int
        fileprivate let commits: [OffsetCommit]
        fileprivate let runs: [FinishedRuns]

        /// Whether a push was committed: below the offset, or named as finished beyond it.
        func covers(_ receipt: ReceiptEntry) -> Bool {
            receipt.offset < commits[receipt.partition].offset
                || runs[receipt.partition].runs.contains { $0.contains(receipt.offset) }
        }
    }

    private let positions: Positions
    private let topic: String
    private let partitions: Int
    private let pushes: TopicLog<PushEntry>
    private let receipts: TopicLog<ReceiptEntry>
    /// The offsets of each partition's pushes, in order.
    private var offsets: [[Int64]]
    /// How many pushes of each partition, from the first on, have receipts.
    private var done: [Int]
    private var receipted: [Set<Int64>]
    private var pushesSeen = 0
    private var receiptsSeen = 0
    /// Every look that succeeded, in order.
    private(set) var snapshots: [Snapshot] = []
    /// Looks that failed, as they do while brokers are away.
    private(set) var failures = 0
    /// Pushes that were committed and had no receipt.
    private(set) var violations: [String] = []

    init(_ installation: Installation, _ pushes: TopicLog<PushEntry>, _ receipts: TopicLog<ReceiptEntry>) throws {
        positions = try Positions(installation.settings("audit"), group: installation.prefix + "delivery")
        topic = installation.prefix + "pushes"
        partitions = installation.partitions
        self.pushes = pushes
        self.receipts = receipts
        offsets = .init(repeating: [], count: partitions)
        done = .init(repeating: 0, count: partitions)
        receipted = .init(repeating: [], count: partitions)
    }

    /// Looks until it is cancelled; brokers that are away make a look last.
    func run() async {
        while !Task.isCancelled {
            await look()
            await Task.yield()
        }
    }

    /// Looks once: what is committed first, then the receipts, which must be there by then.
    func look() async {
        let atMillis = Clock.wallMillis()
        do {
            let commits = try positions.commits(in: topic, partitions: partitions)
            try await receipts.readToEnd(positions, seconds: 20)
            note()
            let runs = commits.map { FinishedRuns(metadata: $0.metadata, base: $0.offset) }
            for partition in 0..<partitions { compare(partition, commits[partition].offset, runs[partition]) }
            snapshots.append(
                Snapshot(atMillis: atMillis, receiptCount: receiptsSeen, commits: commits, runs: runs)
            )
        } catch {
            failures += 1
        }
    }

    private func note() {
        for push in pushes.entries(from: pushesSeen) {
            pushesSeen += 1
            offsets[push.partition].append(push.offset)
        }
        for receipt in receipts.entries(from: receiptsSeen) {
            receiptsSeen += 1
            receipted[receipt.partition].insert(receipt.offset)
        }
        for partition in 0..<partitions {
            while done[partition] < offsets[partition].count,
                receipted[partition].contains(offsets[partition][done[partition]])
            {
                done[partition] += 1
            }
        }
    }

    private func compare(_ partition: Int, _ committed: Int64, _ runs: FinishedRuns) {
        for offset in offsets[partition][done[partition]...] where !receipted[partition].contains(offset) {
            if offset < committed || runs.runs.contains(where: { $0.contains(offset) }) {
                violations.append("partition \(partition): \(offset) has no receipt, \(committed) committed")
            }
        }
    }
}
