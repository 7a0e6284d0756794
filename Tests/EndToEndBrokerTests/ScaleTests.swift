import EndToEndSupport
import Glibc
import Kafka
import Testing

extension EndToEndBrokerTests {
    /// Workers that come and go as they should.
    @Suite struct ScaleTests {
        private static let partitions = 8
        private static let count = 20_000

        @Test func `a worker that joins and one that leaves make no push come twice`() async throws {
            let pushes = NumberedPushes(count: Self.count)
            let installation = try await Installation(partitions: Self.partitions)
            try await installation.startAPNs(
                faults: [#"{"match":{},"then":{"delayMillis":200}}"#],
                delivery: "lanes: 2, inFlight: 200",
                properties: #""session.timeout.ms": "6000""#
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

            let first = try await installation.startWorkers(1, "delivery")[0]
            try await eventually("some receipts") { receipts.count >= Self.count / 8 }
            let second = try await installation.startWorkers(1, "delivery")[0]
            try await eventually("receipts of the second worker") {
                receipts.entries.contains { $0.worker == second.pid }
            }
            first.kill(SIGTERM)
            #expect(try await first.wait() == 0)
            #expect(receipts.count < Self.count, "the first worker has left before all was done")
            try await eventually("all receipts", state: { "\(receipts.count)" }) { receipts.count >= Self.count }
            try await installation.waitUntilDone(group: "delivery", topics: ["pushes"])
            let all = try await receipts.readToEnd()
            #expect(all.count == Self.count)
            #expect(Set(all.map(\.number)).count == Self.count)
            second.kill(SIGTERM)
            #expect(try await second.wait() == 0)
            #expect(try await installation.stopAPNs().requests == Self.count)
        }
    }
}
