import BlockingTestSupport
import CommandLineTestSupport
import Cryptography
import Glibc
import HTTPTestSupport
import Kafka
import KafkaTestSupport
import Testing

/// The life of a worker, from its start to its exit code.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct WorkerCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func worker(
        _ words: String...,
        apns: String = nobody,
        pushesTopic: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Command {
        let key = try directory.write(try P256.SigningKey().pem(), to: "key.p8")
        let own = pushesTopic.map { ", pushesTopic: \"\($0)\"" } ?? ""
        let path = try directory.write(
            """
            {apps: [{id: "shop", topic: "com.example.shop", teamId: "A1B2C3D4E5", keyId: "F6G7H8I9J0", keyFile: "\(key)"\(own)}],
             apns: {endpoints: {production: "\(apns)", sandbox: "\(apns)"}, caFile: "\(apns == Self.nobody ? "" : "\(certificates)/ca.pem")"},
             delivery: {lanes: 1}}
            """,
            to: "c.json5"
        )
        return try Command(["worker", "--config", path] + words, environment: environment)
    }

    private var certificates: String { "\(directory.path)/tls" }

    /// Starts an APNs.
    ///
    /// - Returns: It, and its address.
    private func simulator() throws -> (Command, address: String) {
        let command = try Command(["simulate-apns", "--listen", "127.0.0.1:0", "--tls-directory", certificates])
        try command.wait(for: "}\n")
        let parts = command.output.split(separator: "\"")
        return (command, String(try #require(parts.first { $0.hasPrefix("127.0.0.1:") })))
    }

    private func cluster(topics: [String]) throws -> MockCluster {
        let cluster = try MockCluster()
        for topic in topics { try cluster.createTopic(topic, partitions: 2) }
        return cluster
    }

    /// An address where nobody listens.
    private static let nobody = "127.0.0.1:1"
    private static let topics = [
        "location-events", "campaign-events", "pushes", "receipts", "unregistered", "dead-letters",
    ]

    @Test func `waits for a Kafka that is out of reach, and ends with 0`() throws {
        let command = try worker("--kafka-bootstrap-servers", "127.0.0.1:1", "--log-format", "text")
        try command.wait(for: "Kafka is out of reach")
        command.send(SIGTERM)
        #expect(try command.wait() == 0)
        #expect(command.errors.contains(" stopped\n"))
        #expect(!command.errors.contains("ready"))
        #expect(command.output.isEmpty)
    }

    @Test func `ends at once with 130 at a second signal`() throws {
        // Its first question to Kafka goes on for seconds, and so does the stop that waits for it.
        let command = try worker("--kafka-bootstrap-servers", "127.0.0.1:1")
        try command.wait(for: "\"msg\":\"starting\"")
        command.send(SIGTERM)
        try command.wait(for: "\"msg\":\"stopping\"")
        command.send(SIGINT)
        #expect(try command.wait() == 130)
    }

    @Test func `gives up on a missing topic with 78`() throws {
        let cluster = try cluster(topics: Self.topics.map { "geopush.\($0)" }.filter { $0 != "geopush.receipts" })
        let command = try worker("--kafka-bootstrap-servers", cluster.bootstrapServers)
        #expect(try command.wait(timeoutMillis: 60_000) == 78)
        #expect(
            command.errors.contains("topic geopush.receipts does not exist: create it with `geopush topics create`")
        )
        #expect(!command.errors.contains("\"ready\""))
    }

    @Test func `gives up on a missing topic of an app also where it only writes to it`() throws {
        let cluster = try cluster(topics: Self.topics.map { "geopush.\($0)" })
        let command = try worker(
            "--stages",
            "intake",
            "--kafka-bootstrap-servers",
            cluster.bootstrapServers,
            pushesTopic: "pushes.shop"
        )
        #expect(try command.wait(timeoutMillis: 60_000) == 78)
        #expect(command.errors.contains("topic pushes.shop does not exist"))
    }

    @Test func `says ready once, and ends with 0`() throws {
        let cluster = try cluster(topics: Self.topics.map { "x.\($0)" })
        let (simulator, address) = try simulator()
        let command = try worker(
            "--kafka-bootstrap-servers",
            cluster.bootstrapServers,
            apns: address,
            environment: ["GEOPUSH_KAFKA_TOPIC_PREFIX": "x.", "GEOPUSH_KAFKA_GROUP_PREFIX": "g."]
        )
        try command.wait(for: "\"msg\":\"ready\"}\n")
        command.send(SIGINT)
        #expect(try command.wait() == 0)
        #expect(command.errors.split(separator: "\n").count { $0.contains("ready") } == 1)
        #expect(command.errors.hasSuffix("\"msg\":\"stopped\"}\n"))
        simulator.send(SIGTERM)
        #expect(try simulator.wait() == 0)
    }

    @Test func `is not ready without an APNs, and ends with 0`() throws {
        let cluster = try cluster(topics: Self.topics.map { "geopush.\($0)" })
        // The simulator makes the certificates, and is gone before the worker starts.
        let (simulator, address) = try simulator()
        simulator.send(SIGTERM)
        try simulator.wait()
        let command = try worker("--kafka-bootstrap-servers", cluster.bootstrapServers, apns: address)
        try command.wait(for: "APNs is out of reach")
        command.send(SIGTERM)
        #expect(try command.wait() == 0)
        #expect(!command.errors.contains("\"ready\""))
    }

    @Test func `warns of a variable that is almost a key`() throws {
        let command = try worker(
            "--kafka-bootstrap-servers",
            "127.0.0.1:1",
            environment: ["GEOPUSH_DELIVERY_LANE": "3"]
        )
        try command.wait(for: "the variable GEOPUSH_DELIVERY_LANE is no key: did you mean GEOPUSH_DELIVERY_LANES?")
        command.send(SIGTERM)
        #expect(try command.wait() == 0)
    }

    /// The port that a worker has said it answers at.
    private func adminPort(_ command: Command) throws -> UInt16 {
        try command.wait(for: "\"msg\":\"admin endpoint\"")
        let text = try #require(command.errors.split(separator: "\"port\":\"").dropFirst().first)
        return try #require(UInt16(text.prefix { $0 != "\"" }))
    }

    @Test func `answers at its admin endpoint while Kafka is out of reach`() throws {
        let command = try worker("--kafka-bootstrap-servers", "127.0.0.1:1", "--operations-listen", "127.0.0.1:0")
        let client = HTTPClient(port: try adminPort(command))
        #expect(try client.get("/livez").status == 200)
        let readiness = try client.get("/readyz")
        #expect(readiness.status == 503)
        #expect(readiness.body.contains("\"code\":\"starting\""))
        #expect(try client.get("/metrics").body.contains("geopush_build_info{version=\"0.1.0\","))
        command.send(SIGTERM)
        #expect(try command.wait() == 0)
    }

    @Test func `ends with 78 and one sentence where its admin endpoint cannot listen`() throws {
        let first = try worker("--kafka-bootstrap-servers", "127.0.0.1:1", "--operations-listen", "127.0.0.1:0")
        let address = "127.0.0.1:\(try adminPort(first))"
        let second = try worker("--kafka-bootstrap-servers", "127.0.0.1:1", "--operations-listen", address)
        #expect(try second.wait() == 78)
        let sentence = "operations.listen \(address) cannot be listened on (bind: Address already in use)"
        #expect(second.errors.contains("Error: \(sentence): choose another address\n"))
        first.send(SIGTERM)
        #expect(try first.wait() == 0)
    }
}
