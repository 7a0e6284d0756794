import EndToEndSupport
import EventLoop
import FoundationEssentials
import Glibc
import Kafka
import Testing

extension EndToEndBrokerTests {
    /// Workers that are killed while they deliver.
    @Suite struct KillTests {
        private static let kills = 6
        private static let inFlight = 1_000
        private static let partitions = 8
        private static let workers = 3

        /// Answers take 0.2 to 0.8 s, each a time of its own, so that a kill meets pushes in every state.
        private static let delays = [
            #"{"match":{"share":0.25},"then":{"delayMillis":200}}"#,
            #"{"match":{"share":0.33},"then":{"delayMillis":400}}"#,
            #"{"match":{"share":0.5},"then":{"delayMillis":600}}"#, #"{"match":{},"then":{"delayMillis":800}}"#,
        ]

        /// How many pushes: 60,000, or as `GEOPUSH_KILL_PUSHES` says.
        private static var pushCount: Int {
            max(12_000, getenv("GEOPUSH_KILL_PUSHES").flatMap { Int(String(cString: $0)) } ?? 60_000)
        }

        /// One worker's end.
        private struct Kill {
            let pid: pid_t
            let committed: CommitAudit.Snapshot
        }

        @Test func `six kills lose no push, and what comes twice stays in its bound`() async throws {
            let pushes = NumberedPushes(count: Self.pushCount)
            let installation = try await Installation(partitions: Self.partitions)
            try await installation.startAPNs(
                faults: Self.delays,
                keepsLog: true,
                delivery: "lanes: 1, inFlight: \(Self.inFlight)",
                properties: #""session.timeout.ms": "3000", "heartbeat.interval.ms": "500""#
            )
            try pushes.publish(
                with: try Publisher(installation.settings("load", [("linger.ms", "20")])),
                to: installation.prefix + "pushes"
            )
            let receipts = try TopicLog(
                installation.prefix + "receipts",
                partitions: Self.partitions,
                installation.settings("receipts")
            ) { NumberedReceipt($0) }
            let audit = try CommitAudit(installation, receipts)
            let startedMillis = Clock.monotonicMillis()
            let kills = try await deliver(pushes, installation, receipts, audit)
            let seconds = Double(Clock.monotonicMillis() - startedMillis) / 1_000

            let all = try await receipts.readToEnd()
            #expect(Set(all.map(\.number)).count == pushes.count, "a receipt for every push")
            #expect(all.allSatisfy { $0.isAccepted })
            #expect(audit.violations.isEmpty, "committed without a receipt: \(audit.violations.prefix(5))")
            let counts = try await installation.stopAPNs()
            let requests = NumberedRequest.read(
                Array(try Data(contentsOf: URL(filePath: installation.simulatorLog)))
            )
            expectOrder(requests, pushes)
            expectBound(counts.requests, requests, all, pushes, kills)
            print(
                "kill test: \(pushes.count) pushes, \(kills.count) kills, \(all.count) receipts, "
                    + "\(audit.count) looks at the commits, \(seconds) s"
            )
        }

        /// Lets workers deliver everything, and kills one that holds partitions again and again.
        private func deliver(
            _ pushes: NumberedPushes,
            _ installation: Installation,
            _ receipts: TopicLog<NumberedReceipt>,
            _ audit: CommitAudit
        ) async throws -> [Kill] {
            let step = max(5_000, pushes.count / (2 * Self.kills))
            var workers = try await installation.startWorkers(Self.workers)
            var kills: [Kill] = []
            var next = step
            while true {
                try await audit.check()
                let count = receipts.count
                if kills.count < Self.kills, audit.receiptedCount >= next,
                    let victim = busiest(workers, receipts, since: count)
                {
                    // Not just when a batch of its receipts has arrived: then none would be on the way.
                    let moment = receipts.count + Int.random(in: 1...500)
                    try await eventually("the moment of a kill") { receipts.count >= moment }
                    workers[victim].kill(SIGKILL)
                    let pid = workers[victim].pid
                    _ = try await workers[victim].wait()
                    // Its partitions change hands only after its session, so that this is what it has left.
                    kills.append(Kill(pid: pid, committed: try await audit.check()))
                    workers[victim] = try installation.startWorker()
                    next = audit.receiptedCount + step
                }
                if audit.receiptedCount == pushes.count { break }
                try await eventually("further receipts", state: { "\(audit.receiptedCount) pushes have one" }) {
                    receipts.count > count
                }
            }
            #expect(kills.count == Self.kills)
            try await installation.waitUntilDone(group: "delivery", topics: ["pushes"])
            try await audit.check()
            for worker in workers { worker.kill(SIGTERM) }
            for worker in workers { #expect(try await worker.wait() == 0) }
            return kills
        }

        /// The worker that has written most of the latest receipts; nil while it is not clear.
        private func busiest(
            _ workers: [GeopushProcess],
            _ receipts: TopicLog<NumberedReceipt>,
            since count: Int
        ) -> Int? {
            let latest = receipts.entries(from: max(0, count - 500)).map(\.worker)
            return workers.indices.max { left, right in
                latest.count { $0 == workers[left].pid } < latest.count { $0 == workers[right].pid }
            }
        }

        /// A later push of a token is never sent before an earlier one was answered, and a connection sends each once.
        private func expectOrder(_ requests: [NumberedRequest], _ pushes: NumberedPushes) {
            var highest: [Int: Int] = [:]
            var latest: [Int: [Int: Int]] = [:]
            var skipped = 0
            var backwards = 0
            for request in requests {
                let token = pushes.token(request.number)
                let previous = highest[token] ?? (token - pushes.step)
                if request.number > previous {
                    if request.number != previous + pushes.step { skipped += 1 }
                    highest[token] = request.number
                }
                if let before = latest[request.connection]?[token], request.number <= before { backwards += 1 }
                latest[request.connection, default: [:]][token] = request.number
            }
            #expect(skipped == 0, "pushes that were answered before an earlier one of their token")
            #expect(backwards == 0, "pushes that went back on one connection")
        }

        /// What was sent twice was uncommitted when its worker was killed, and its number is in the bound.
        ///
        /// Unfinished at a kill is what was in flight, and what was answered while its receipt was on the way to Kafka.
        private func expectBound(
            _ received: Int,
            _ requests: [NumberedRequest],
            _ receipts: [NumberedReceipt],
            _ pushes: NumberedPushes,
            _ kills: [Kill]
        ) {
            var sent = [Int](repeating: 0, count: pushes.count)
            for request in requests { sent[request.number] += 1 }
            var places = [NumberedReceipt?](repeating: nil, count: pushes.count)
            for receipt in receipts { places[receipt.number] = places[receipt.number] ?? receipt }
            let unexplained = places.indices.count { number in
                guard let place = places[number] else { return true }
                return sent[number] - 1 > kills.count { !$0.committed.covers(place) }
            }
            #expect(unexplained == 0, "pushes that were committed at every kill and came again")

            let unreceipted = unreceipted(requests, receipts, pushes)
            let onTheWay = kills.map { unreceipted[$0.pid] ?? 0 }
            let uncommitted = kills.map { kill in
                receipts.count { $0.worker == kill.pid && !kill.committed.covers($0) }
            }
            let bound = kills.count * Self.inFlight + onTheWay.reduce(0, +) + uncommitted.reduce(0, +)
            // Also those whose answer came too late for a killed worker, and is in no log.
            let twice = received - pushes.count
            print(
                "kill test: \(twice) requests came twice; bound \(bound) = \(kills.count) kills x \(Self.inFlight) "
                    + "in flight + \(onTheWay) answered, their receipts on the way "
                    + "+ \(uncommitted) finished and not committed"
            )
            #expect(twice <= bound)
        }

        /// How many requests of each worker were answered of which it has written no receipt.
        private func unreceipted(
            _ requests: [NumberedRequest],
            _ receipts: [NumberedReceipt],
            _ pushes: NumberedPushes
        ) -> [pid_t: Int] {
            var writers = [Set<pid_t>](repeating: [], count: pushes.count)
            for receipt in receipts { writers[receipt.number].insert(receipt.worker) }
            // A connection is its worker's that has written the receipts of most of its pushes.
            var votes: [Int: [pid_t: Int]] = [:]
            for request in requests {
                for writer in writers[request.number] {
                    votes[request.connection, default: [:]][writer, default: 0] += 1
                }
            }
            let owners = votes.compactMapValues { $0.max { $0.value < $1.value }?.key }
            var unreceipted: [pid_t: Int] = [:]
            for request in requests {
                guard let owner = owners[request.connection] else { continue }
                if !writers[request.number].contains(owner) { unreceipted[owner, default: 0] += 1 }
            }
            return unreceipted
        }
    }
}
