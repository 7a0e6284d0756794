import APNs
import APNsSimulator
import EndToEndSupport
import EventLoop
import Events
import Kafka
import Observability
import Operations
import Pipeline

/// Everything that a push meets, in this process: librdkafka's mock cluster, an APNs, and any number of workers.
final class World: Sendable {
    static let partitions = 2
    static let appTopic = "com.example.shop"
    /// When the devices of ``TestTokens/gone(_:)`` lost the app.
    static let goneAtMillis: Int64 = 1_799_000_000_123

    let cluster: MockCluster
    let simulator: APNsSimulator
    let folder: TemporaryFolder
    let publisher: Publisher
    let topics = TopicNames(prefix: "geopush.")
    let receipts: TopicLog<ReadReceipt>
    /// The key of the app.
    let keyFile: String

    /// Starts a cluster with the topics, and an APNs.
    ///
    /// - Parameters:
    ///   - checksKey: The APNs takes tokens of the app's key only.
    ///   - change: How the APNs differs from one at which all devices exist.
    init(checksKey: Bool = false, _ change: (inout SimulatorOptions) -> Void = { _ in }) throws {
        // Brokers and connections go away on purpose here.
        LogOutput.process.configure(level: .critical, format: .text)
        folder = try TemporaryFolder()
        keyFile = try folder.writeProviderKey()
        cluster = try MockCluster(brokers: 1)
        let table = TopicTable(prefix: "geopush.", apps: [], partitions: Self.partitions, replication: 1)
        for topic in table.specifications { try cluster.createTopic(topic.name, partitions: Self.partitions) }
        var options = SimulatorOptions()
        options.tlsDirectory = folder.file("tls")
        options.answersKept = 100_000
        options.apps = [Self.appTopic]
        if checksKey {
            options.signingKeys = [
                SimulatorSigningKey(
                    teamID: "TEAMIDENT1",
                    keyID: "KEYIDENT01",
                    pem: Array(folder.text("key.p8").utf8)
                )
            ]
        }
        change(&options)
        simulator = try APNsSimulator(options)
        publisher = try Publisher(Self.settings(cluster, "publisher"))
        receipts = try TopicLog(topics.receipts, partitions: Self.partitions, Self.settings(cluster, "receipts")) {
            ReadReceipt($0)
        }
    }

    /// Settings of a client of a cluster; an empty fetch of the mock is not woken by data.
    private static func settings(_ cluster: MockCluster, _ clientID: String) -> KafkaSettings {
        KafkaSettings(
            bootstrapServers: cluster.bootstrapServers,
            clientID: clientID,
            properties: [("fetch.wait.max.ms", "10"), ("linger.ms", "1"), ("reconnect.backoff.ms", "20")]
        )
    }

    /// Settings of a client of this world.
    func settings(_ clientID: String) -> KafkaSettings { Self.settings(cluster, clientID) }

    // MARK: - Workers

    /// Starts a worker from a configuration as a user writes it.
    ///
    /// - Parameters:
    ///   - stages: What it does.
    ///   - inFlight: The most pushes open at once.
    ///   - apnsPort: Where its APNs is; nil: the one of this world.
    ///   - requestTimeoutSeconds: How long a push waits for its answer.
    func startWorker(
        _ stages: Set<WorkerSettings.Stage> = [.intake, .delivery],
        inFlight: Int = 4_000,
        apnsPort: UInt16? = nil,
        requestTimeoutSeconds: Int = 10
    ) throws -> RunningWorker {
        let address = "localhost:\(apnsPort ?? simulator.port)"
        let text = """
            {
              kafka: {
                bootstrapServers: "\(cluster.bootstrapServers)",
                properties: { "fetch.wait.max.ms": "10", "reconnect.backoff.ms": "20", "session.timeout.ms": "6000" },
              },
              apns: {
                endpoints: { production: "\(address)", sandbox: "\(address)" },
                caFile: "\(simulator.caFile)",
                requestTimeoutSeconds: \(requestTimeoutSeconds),
              },
              apps: [
                { id: "shop", topic: "\(Self.appTopic)", teamId: "TEAMIDENT1", keyId: "KEYIDENT01",
                  keyFile: "\(keyFile)" },
              ],
              delivery: { lanes: 1, inFlight: \(inFlight), retry: { baseSeconds: 0.2, maxSeconds: 1 } },
            }
            """
        let configuration = try ConfigurationReader(file: ("configuration", Array(text.utf8))).read().configuration
        return try RunningWorker(configuration.workerSettings(stages: stages, tokens: ProviderTokens()))
    }

    // MARK: - Waiting

    /// Waits until the APNs has got so many requests.
    func waitForRequests(_ count: Int, seconds: Int = 120) async throws {
        let simulator = simulator
        guard await offPool({ simulator.wait(requests: count, timeoutMillis: seconds * 1_000) }) else {
            throw Overdue("\(count) requests, got \(simulator.summary())")
        }
    }

    /// The receipts of an event.
    func receipts(ofEvent event: String, count: Int, seconds: Int64 = 120) async throws -> [ReadReceipt] {
        try await receipts.wait(for: count, "receipts of \(event)", seconds: seconds) { $0.receipt.eventID == event }
    }

    /// The receipts of a token.
    func receipts(ofToken token: String, count: Int, seconds: Int64 = 120) async throws -> [ReadReceipt] {
        try await receipts.wait(for: count, "receipts of \(token)", seconds: seconds) { $0.receipt.token == token }
    }

    /// Waits until everything is finished and committed that is in the topic of pushes now.
    ///
    /// - Returns: All receipts.
    func settle(seconds: Int64 = 120) async throws -> [ReadReceipt] {
        let positions = try Positions(settings("settle"), group: "geopush.delivery")
        let ends = try positions.ends(of: topics.pushes, partitions: Self.partitions)
        var committed: [Int64] = []
        try await eventually(
            "all pushes committed",
            seconds: seconds,
            state: { "committed \(committed) of \(ends)" }
        ) {
            committed = try positions.committed(in: topics.pushes, partitions: Self.partitions)
            return zip(committed, ends).allSatisfy { $0 >= $1 }
        }
        return try await receipts.readToEnd()
    }

    /// The requests of a token that were answered, in the order of the answers.
    func answers(_ token: String) -> [AnsweredRequest] { simulator.answers().filter { $0.token == token } }
}
