import CommandLineTestSupport
import Kafka
import KafkaTestSupport
import Testing

/// `geopush topics` and what needs a real Kafka beside it.
@Suite(
    .enabled(if: RealCluster.isAvailable, "needs a real Kafka: set KAFKA_HOME or GEOPUSH_TEST_BOOTSTRAP"),
    .timeLimit(.minutes(15))
)
struct TopicsCommandTests {
    private let prefix = "t\(UInt32.random(in: 0...UInt32.max))."

    private func topics(_ words: String...) throws -> (code: Int32, lines: [Substring], errors: String) {
        let shared = [
            "--kafka-bootstrap-servers", try RealCluster.shared.bootstrapServers, "--kafka-topic-prefix", prefix,
        ]
        let command = try Command(["topics"] + words + shared)
        let code = try command.wait(timeoutMillis: 60_000)
        return (code, command.output.split(separator: "\n"), command.errors)
    }

    @Test func `an event that is larger than its topic takes is said to be too large`() throws {
        let cluster = try RealCluster.shared
        let admin = try Admin(cluster.settings("topics-command"))
        let topic = TopicSpecification(
            name: "\(prefix)campaign-events",
            partitions: 1,
            settings: [("max.message.bytes", "1000")]
        )
        #expect(try admin.create([topic], timeoutMillis: 30_000) == [.created])
        try admin.waitUntilKnown([topic.name], timeoutMillis: 30_000)
        let folder = try TemporaryDirectory()
        let zeros = String(repeating: "0", count: 55)
        let devices = (0..<2_000).map { #"{"token":"\#(String(0x1_0000_0000 + $0, radix: 16))\#(zeros)0"}"# }
        let audience = #"{"devices":[\#(devices.joined(separator: ","))]}"#
        let event = #"{"campaignId":"c","locationIds":["l"],"app":"shop","audience":\#(audience)}"#
        let file = try folder.write(event, to: "event.json")
        let command = try Command([
            "publish", "campaign", file, "--kafka-bootstrap-servers", cluster.bootstrapServers,
            "--kafka-topic-prefix", prefix,
        ])
        #expect(try command.wait(timeoutMillis: 60_000) == 1)
        #expect(command.errors.contains("1 of 1 were not acknowledged (MSG_SIZE_TOO_LARGE"), "\(command.errors)")
        #expect(command.errors.contains("smaller"))
    }

    @Test func `creates the topics once, and describes them`() throws {
        let missing = try topics("describe")
        #expect(missing.code == 1)
        #expect(missing.lines.count == 10)
        #expect(missing.lines.allSatisfy { $0.hasPrefix("missing  \(prefix)") })
        #expect(missing.errors == "Error: topics are missing: geopush topics create makes them\n")

        let created = try topics("create", "--partitions", "2", "--replication", "1")
        #expect(created.code == 0)
        #expect(created.lines.count == 10)
        #expect(
            created.lines.allSatisfy { $0.hasPrefix("created  \(prefix)") && $0.contains(": 2 partitions, 1 copy, ") }
        )
        #expect(
            created.lines.contains {
                $0.hasSuffix("cleanup.policy=compact min.compaction.lag.ms=604800000 max.message.bytes=4194304")
            }
        )

        let described = try topics("describe")
        #expect(described.code == 0)
        #expect(described.lines.count == 10)
        #expect(described.lines.allSatisfy { $0.hasPrefix("exists   ") })

        let again = try topics("create", "--replication", "1")
        #expect(again.code == 0)
        #expect(again.lines == described.lines)
    }

    @Test func `says what differs, and leaves it`() throws {
        #expect(try topics("create", "--partitions", "1", "--replication", "1").code == 0)
        let other = try topics("create", "--partitions", "2", "--replication", "2")
        #expect(other.code == 0)
        #expect(other.lines.contains("differs  \(prefix)pushes: partitions is 1, expected 2"))
        #expect(other.lines.contains("differs  \(prefix)pushes: replication is 1, expected 2"))
        #expect(
            try topics("describe").lines.contains { $0.hasPrefix("exists   \(prefix)pushes: 1 partitions, 1 copy") }
        )
        #expect(try topics("describe", "--partitions", "1").code == 0)
        #expect(try topics("describe", "--partitions", "2").code == 1)
    }

    @Test func `says why a topic cannot be created`() throws {
        let run = try topics("create", "--replication", "9")
        #expect(run.code == 1)
        #expect(run.lines.allSatisfy { $0.hasPrefix("failed   \(prefix)") })
        #expect(run.errors == "Error: 10 of 10 topics could not be created\n")
    }

    @Test func `receipts names the topic that is missing`() throws {
        let command = try Command([
            "receipts", "--kafka-bootstrap-servers", try RealCluster.shared.bootstrapServers, "--kafka-topic-prefix",
            prefix,
        ])
        #expect(try command.wait() == 78)
        #expect(
            command.errors.hasPrefix(
                "Error: topic \(prefix)receipts does not exist: create it with `geopush topics create`"
            )
        )
    }
}
