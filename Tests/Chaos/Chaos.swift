import EndToEndSupport
import EventLoop
import Foundation
import Kafka

/// Breaks everything on purpose for a while, and tells from the topics and the log of the APNs what became of the
/// pushes.
///
/// `Chaos SECONDS SEED`, with `KAFKA_HOME` and `GEOPUSH_TEST_BROKERS`. Ends with 0 when nothing was lost, disordered, or
/// doubled beyond the bound.
@main
@MainActor
struct Chaos {
    private static let workers = 3
    private static let partitions = 8
    private static let inFlight = 500

    private let installation: Installation
    private let plan: Plan
    private let load: Load
    private let pushes: TopicLog<PushEntry>
    private let receipts: TopicLog<ReceiptEntry>
    private let audit: Audit
    private let fleet: Fleet
    /// Never raised: what a wait ends by is its time.
    private let pause: EventSignal
    private var report = Report()

    static func main() async {
        let words = CommandLine.arguments.dropFirst().map { Int($0) }
        guard words.count == 2, let seconds = words[0], let seed = words[1] else {
            print("usage: Chaos SECONDS SEED")
            exit(64)
        }
        do {
            var chaos = try await Chaos(seconds: seconds, seed: UInt64(seed))
            let report = try await chaos.run(seconds: seconds)
            print(try report.json())
            exit(report.isKept ? 0 : 1)
        } catch {
            print("the run could not be finished: \(error)")
            exit(2)
        }
    }

    private init(seconds: Int, seed: UInt64) async throws {
        pause = try EventSignal()
        report.seed = seed
        report.seconds = seconds
        plan = Plan(seed: seed, seconds: seconds, workers: Self.workers, brokers: 3)
        installation = try await Installation(partitions: Self.partitions)
        try await installation.startAPNs(
            faults: plan.faults,
            keepsLog: true,
            delivery: "lanes: 1, inFlight: \(Self.inFlight), retry: { baseSeconds: 1, maxSeconds: 4 }",
            properties: #""session.timeout.ms": "3000", "heartbeat.interval.ms": "500""#
        )
        pushes = try TopicLog(
            installation.prefix + "pushes",
            partitions: Self.partitions,
            installation.settings("pushes")
        ) { PushEntry($0) }
        receipts = try TopicLog(
            installation.prefix + "receipts",
            partitions: Self.partitions,
            installation.settings("receipts")
        ) { ReceiptEntry($0) }
        audit = try Audit(installation, pushes, receipts)
        load = try Load(installation, pushesPerSecond: 1_200)
        fleet = try await Fleet(installation, workers: Self.workers)
    }

    private mutating func run(seconds: Int) async throws -> Report {
        let load = load
        let thread = try WorkerThread(name: "load") { load.run() }
        let looking = Task.detached { [audit] in await audit.run() }
        let startMillis = Clock.monotonicMillis()
        var steps = plan.steps[...]
        let endMillis = startMillis + Int64(seconds) * 1_000
        while Clock.monotonicMillis() < endMillis || !steps.isEmpty {
            while let step = steps.first, startMillis + step.atMillis <= Clock.monotonicMillis() {
                try fleet.act(step.action)
                steps.removeFirst()
            }
            try fleet.look()
            _ = await offPool { [pause] in pause.wait(timeoutMillis: 50) }
        }
        load.end()
        await offPool { thread.join() }
        if let failure = load.failure { throw Overdue("the load: \(failure)") }

        let settleMillis = Clock.monotonicMillis()
        try await fleet.settle()
        try await installation.waitUntilDone(group: "intake", topics: ["location-events"], seconds: 180)
        try await installation.waitUntilDone(group: "delivery", topics: ["pushes"], seconds: 300)
        report.settledSeconds = Double(Clock.monotonicMillis() - settleMillis) / 1_000
        looking.cancel()
        await looking.value
        await audit.look()
        report.exitCodes = try await fleet.stop()
        _ = try await installation.stopAPNs()
        try await judge()
        return report
    }

    private mutating func judge() async throws {
        report.events = load.events
        report.pushes = load.pushes
        let all = try await receipts.readToEnd()
        let log = try Data(contentsOf: URL(filePath: installation.simulatorLog))
        report.compare(try await pushes.readToEnd(), all, RequestEntry.read(Array(log)))
        report.committedWithoutReceipt = await audit.violations.count
        let snapshots = await audit.snapshots
        report.audits = snapshots.count
        report.workerKills = fleet.kills.count
        report.brokerKills = fleet.brokerKills
        report.pauses = fleet.pauses
        report.replacements = fleet.replacements
        report.apnsFaults = plan.faults.count
        report.endedByThemselves = fleet.endedByThemselves
        report.peakMiB = fleet.peakMiB
        let says = fleet.says()
        let evictions = says.flatMap { worker in
            worker.says.evictionsMillis.map { Fleet.Loss(worker: worker.pid, atMillis: $0) }
        }
        report.evictions = evictions.count
        report.bound = Self.bound(fleet.kills + evictions, all, snapshots)
        for worker in says { report.bound += worker.says.requestsGivenUp }
    }

    /// How many pushes may have been sent twice: what was unfinished, and what was finished and not committed.
    private static func bound(
        _ losses: [Fleet.Loss],
        _ receipts: [ReceiptEntry],
        _ snapshots: [Audit.Snapshot]
    ) -> Int {
        losses.reduce(0) { sum, loss in
            guard let before = snapshots.last(where: { $0.atMillis <= loss.atMillis }) else { return sum + inFlight }
            let last = snapshots.first { $0.atMillis > loss.atMillis }?.receiptCount ?? receipts.count
            let uncommitted = receipts[..<last].count { $0.worker == loss.worker && !before.covers($0) }
            return sum + inFlight + uncommitted
        }
    }
}
