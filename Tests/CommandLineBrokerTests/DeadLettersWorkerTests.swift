import CommandLineTestSupport
import Cryptography
import Glibc
import Kafka
import KafkaTestSupport
import Testing

/// `geopush dead-letters` beside a worker on a real Kafka.
@Suite(
    .enabled(if: RealCluster.isAvailable, "needs a real Kafka: set KAFKA_HOME or GEOPUSH_TEST_BOOTSTRAP"),
    .timeLimit(.minutes(3))
)
struct DeadLettersWorkerTests {
    @Test func `what is sent back and still faulty becomes a new dead letter`() throws {
        let prefix = "d\(UInt32.random(in: 0...UInt32.max))."
        let shared = [
            "--kafka-bootstrap-servers", try RealCluster.shared.bootstrapServers, "--kafka-topic-prefix", prefix,
        ]
        #expect(try Command(["topics", "create", "--partitions", "1"] + shared).wait(timeoutMillis: 60_000) == 0)
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let key = try folder.write(try P256.SigningKey().pem(), to: "key.p8")
        let app = "{id: 'a', topic: 'com.example.a', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0', keyFile: '\(key)'}"
        let worker = try Command(
            ["worker", "--stages", "intake", "--apps", "[\(app)]", "--kafka-group-prefix", prefix] + shared
        )
        let follower = try Command(["dead-letters", "--follow"] + shared)
        let producer = try Producer(RealCluster.shared.settings("dead-letters-worker"), signal: nil)
        let topic = try producer.topic("\(prefix)location-events")
        try follower.wait(for: "PLACE ")
        try worker.wait(for: "\"msg\":\"ready\"")
        #expect(producer.send("no event", key: "site-1", to: topic) == .queued)
        #expect(producer.flush(timeoutMillis: 10_000))
        try follower.wait(for: "\(prefix)location-events/0/0 ")
        let requeue = try Command(["dead-letters", "--requeue", "0:0"] + shared)
        #expect(try requeue.wait() == 0)
        #expect(requeue.output == "sent     0:0 to \(prefix)location-events 0:1\n")
        try follower.wait(for: "\(prefix)location-events/0/1 ")
        for command in [follower, worker] {
            command.send(SIGTERM)
            #expect(try command.wait(timeoutMillis: 60_000) == 0)
        }
        let list = try Command(["dead-letters", "--code", "malformed-json", "--json"] + shared)
        #expect(try list.wait() == 0)
        #expect(list.output.split(separator: "\n").count == 2)
    }
}
