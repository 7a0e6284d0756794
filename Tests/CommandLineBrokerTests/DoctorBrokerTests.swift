import CommandLineTestSupport
import Cryptography
import Kafka
import KafkaTestSupport
import Testing

/// `geopush doctor` on a real Kafka.
@Suite(
    .enabled(if: RealCluster.isAvailable, "needs a real Kafka: set KAFKA_HOME or GEOPUSH_TEST_BOOTSTRAP"),
    .timeLimit(.minutes(3))
)
struct DoctorBrokerTests {
    private let prefix = "o\(UInt32.random(in: 0...UInt32.max))."
    private let bootstrap: String

    init() throws {
        bootstrap = try RealCluster.shared.bootstrapServers
    }

    private func createTopics() throws {
        let words = ["--kafka-bootstrap-servers", bootstrap, "--kafka-topic-prefix", prefix]
        // As many copies as there are brokers to keep them, up to three.
        let brokers = try Admin(RealCluster.shared.settings("doctor")).metadata(timeoutMillis: 10_000).brokers.count
        let create = ["topics", "create", "--partitions", "2", "--replication", "\(min(3, brokers))"]
        #expect(try Command(create + words).wait(timeoutMillis: 60_000) == 0)
    }

    private func doctor() throws -> (code: Int32, lines: [String], wrong: [String]) {
        try Checkup(key: P256.SigningKey().pem()).run(bootstrap, ["--kafka-topic-prefix", prefix])
    }

    @Test func `all is well`() throws {
        try createTopics()
        let run = try doctor()
        #expect(run.wrong == [])
        #expect(run.code == 0)
        #expect(run.lines.last == "All is well.")
        #expect(run.lines.count { $0.hasPrefix("ok     topic \(prefix)") } == 10)
    }

    @Test func `a topic with other settings, and others with uneven partitions`() throws {
        let name = "\(prefix)device-events"
        let admin = try Admin(RealCluster.shared.settings("doctor"))
        let topic = TopicSpecification(
            name: name,
            partitions: 3,
            settings: [("cleanup.policy", "delete"), ("min.insync.replicas", "2")]
        )
        #expect(try admin.create([topic], timeoutMillis: 30_000) == [.created])
        try createTopics()
        let run = try doctor()
        #expect(run.code == 1)
        #expect(
            run.wrong.contains {
                $0.hasPrefix(
                    "topic \(name): cleanup.policy is delete, expected compact: set it with kafka-configs.sh"
                )
            }
        )
        #expect(
            run.wrong.contains {
                $0.hasPrefix("partitions: \(name) 3, \(prefix)unregistered 2, \(prefix)fanout 2: expected equally many")
            }
        )
    }

    @Test func `every topic that is missing`() throws {
        let run = try doctor()
        #expect(run.wrong.count { $0.hasSuffix("missing: make it with geopush topics create") } == 10)
    }
}
