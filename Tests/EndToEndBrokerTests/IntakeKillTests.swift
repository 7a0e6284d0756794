import EndToEndSupport
import EventLoop
import Events
import Glibc
import Kafka
import KafkaTestSupport
import Testing

extension EndToEndBrokerTests {
    /// An Intake that is killed while it writes.
    @Suite struct IntakeKillTests {
        private static let partitions = 4
        /// How many times a transaction may end before the kill comes.
        private static let killAttempts = 10
        private static let bigEvents = 4
        private static let devices = 10_000
        private static let laterDevices = 400
        /// The longest that Delivery may stand still: the transaction's 10 s, and what a broker needs to notice.
        private static let standstillMillis: Int64 = 13_000

        @Test func `a kill inside a transaction holds Delivery up for seconds, and loses and doubles no push`()
            async throws
        {
            let installation = try await Installation(partitions: Self.partitions)
            try await installation.startAPNs()
            let receipts = try log("receipts", installation) { ReadReceipt($0)?.receipt }
            let pushes = try log("pushes", installation) { PushName($0) }
            let delivery = try await installation.startWorkers(1, "delivery")
            let intakes = try await installation.startWorkers(2, "intake")
            let publisher = try Publisher(installation.settings("publisher"))
            let owners = try await owners(intakes, installation, publisher, receipts)
            let victim = try #require(intakes.first { $0.pid == owners[0] })
            let other = try #require(owners.firstIndex { $0 != owners[0] }, "one Intake owns every partition")

            let bigEvents = try await killInsideTransaction(victim, installation, publisher)
            let killedMillis = Clock.monotonicMillis()
            // The survivor goes on, and what it writes lies behind what the dead one has left open.
            let devices = (1...Self.laterDevices).map { EventJSON.device(TestTokens.known($0)) }
            try publisher.publish(
                [
                    Message(
                        key: "later",
                        value: EventJSON.location("later", revision: 1, devices: devices),
                        partition: Int32(other)
                    )
                ],
                to: installation.prefix + "location-events"
            )
            _ = try await receipts.wait(for: Self.laterDevices, "receipts of the later event", seconds: 40) {
                $0.eventID == "later-1"
            }
            let standstill = Clock.monotonicMillis() - killedMillis
            print("intake kill test: Delivery went on \(standstill) ms after the kill")
            if installation.cluster.home != nil { #expect(standstill <= Self.standstillMillis) }

            let count = bigEvents * Self.devices
            _ = try await receipts.wait(for: count, "receipts of the events of the killed Intake", seconds: 90) {
                $0.eventID?.hasPrefix("big-") == true
            }
            print("intake kill test: all \(count) receipts \(Clock.monotonicMillis() - killedMillis) ms after the kill")
            try await installation.waitUntilDone(group: "intake", topics: ["location-events"])
            try await installation.waitUntilDone(group: "delivery", topics: ["pushes"])
            let names = try await pushes.readToEnd()
            #expect(names.count == count + Self.laterDevices, "no push is missing or double")
            #expect(Set(names).count == count + Self.laterDevices)
            for worker in intakes + delivery { worker.kill(SIGTERM) }
            for worker in delivery { #expect(try await worker.wait() == 0) }
            let counts = try await installation.stopAPNs()
            #expect(counts.requests == count + Self.laterDevices)
        }

        private func log<Entry: Sendable>(
            _ topic: String,
            _ installation: Installation,
            _ read: @escaping @Sendable (borrowing Record) -> Entry?
        ) throws -> TopicLog<Entry> {
            try TopicLog(
                installation.prefix + topic,
                partitions: Self.partitions,
                installation.settings(topic),
                read: read
            )
        }

        /// Which process handles each partition of events: it says so in the receipt of a malformed token.
        private func owners(
            _ intakes: [GeopushProcess],
            _ installation: Installation,
            _ publisher: Publisher,
            _ receipts: TopicLog<Receipt>
        ) async throws -> [pid_t] {
            var owners: [pid_t] = []
            for partition in 0..<Self.partitions {
                let probe = EventJSON.location("probe-\(partition)", revision: 1, devices: [EventJSON.device("none")])
                try publisher.publish(
                    [Message(key: "probe", value: probe, partition: Int32(partition))],
                    to: installation.prefix + "location-events"
                )
                let receipt = try await receipts.wait(for: 1, "the receipt of a probe") {
                    $0.eventID == "probe-\(partition)-1"
                }[0]
                let worker = try #require(receipt.worker)
                owners.append(try #require(intakes.first { worker.contains("-\($0.pid)-") }).pid)
            }
            return owners
        }

        /// Publishes events that take a while to write, and kills the process that does in mid-transaction; how many.
        ///
        /// It is stopped before it is looked at again, so that it cannot commit between the look and the kill.
        private func killInsideTransaction(
            _ victim: GeopushProcess,
            _ installation: Installation,
            _ publisher: Publisher
        ) async throws -> Int {
            let topic = installation.prefix + "pushes"
            let all = try Positions(
                installation.settings("all", [("isolation.level", "read_uncommitted")]),
                group: "ends"
            )
            let stable = try Positions(installation.settings("stable"), group: "ends")
            func isOpen() throws -> Bool {
                // Asked in this order: what is stable now ends before what there is afterwards.
                let committed = try stable.ends(of: topic, partitions: Self.partitions)
                return try committed != all.ends(of: topic, partitions: Self.partitions)
            }
            for attempt in 1...Self.killAttempts {
                try publishBigEvents(attempt, installation, publisher)
                try await eventually("an open transaction") { try isOpen() }
                victim.kill(SIGSTOP)
                // Twice: a commit that was already on its way is there at the second look.
                if try isOpen(), try isOpen() {
                    victim.kill(SIGKILL)
                    _ = try await victim.wait()
                    try #require(try isOpen(), "the transaction was committed before the kill")
                    return attempt * Self.bigEvents
                }
                victim.kill(SIGCONT)
                try await eventually("the transaction's end") { try !isOpen() }
            }
            throw NeverInsideTransaction()
        }

        private func publishBigEvents(
            _ attempt: Int,
            _ installation: Installation,
            _ publisher: Publisher
        ) throws {
            let devices = (1...Self.devices).map { EventJSON.device(TestTokens.known($0)) }
            let messages = (1...Self.bigEvents).map { number in
                Message(
                    key: "big",
                    value: EventJSON.location("big-\(attempt)", revision: number, devices: devices),
                    partition: 0
                )
            }
            try publisher.publish(messages, to: installation.prefix + "location-events")
        }
    }
}

/// Which push a record is: its event and its token.
private struct PushName: Hashable, Sendable {
    let text: String

    init?(_ record: borrowing Record) {
        guard let key = record.key, let header = record.header("push") else { return nil }
        let lines = String(decoding: header, as: UTF8.self).split(separator: "\n")
        guard let event = lines.first(where: { $0.hasPrefix("event-id: ") }) else { return nil }
        text = "\(event) \(String(decoding: key, as: UTF8.self))"
    }
}

private struct NeverInsideTransaction: Error, CustomStringConvertible {
    var description: String { "every transaction ended before the kill" }
}
