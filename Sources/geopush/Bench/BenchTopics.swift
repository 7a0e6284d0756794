internal import EventLoop
internal import Kafka
internal import Operations

/// Topics of a bench's own on a real broker, and workers that run on them.
struct BenchTopics {
    static let partitions = 8
    static let appID = "bench"
    static let appTopic = "com.example.bench"

    /// Nobody needs them once the bench has ended; the broker removes what is older.
    private static let retention = ("retention.ms", "3600000")
    private static let createMillis = 15_000

    let bootstrapServers: String
    /// What the names of the topics and the groups of their readers begin with.
    let prefix: String

    /// Chooses names that no other run has; ``create()`` makes the topics.
    init(bootstrapServers: String, name: String) {
        self.bootstrapServers = bootstrapServers
        prefix = "bench-\(Clock.wallMillis())-\(name)."
    }

    /// Events that a worker's intake reads.
    var events: String { prefix + "location-events" }

    /// Pushes that it writes, and that its delivery reads.
    var pushes: String { prefix + "pushes" }

    /// Makes all topics that a worker uses.
    func create() throws {
        let admin = try Admin(KafkaSettings(bootstrapServers: bootstrapServers, clientID: "geopush-bench"))
        let table = TopicTable(prefix: prefix, apps: [], partitions: Self.partitions, replication: 1)
        let topics = table.specifications.map { topic in
            // Compaction is no matter of a bench, and would keep the topics for ever.
            let settings = topic.settings.filter { $0.0 == "max.message.bytes" } + [Self.retention]
            return TopicSpecification(
                name: topic.name,
                partitions: topic.partitions,
                replication: 1,
                settings: settings
            )
        }
        _ = try admin.create(topics, timeoutMillis: Self.createMillis)
        try admin.waitUntilKnown(topics.map(\.name), timeoutMillis: Self.createMillis)
    }

    /// Starts a worker on the topics.
    ///
    /// - Parameters:
    ///   - stages: As for `--stages`.
    ///   - directory: Holds `key.p8`; gets the configuration.
    ///   - simulator: Where its pushes go; nil when it delivers none.
    /// - Returns: The worker's process.
    /// - Throws: When a file or the process cannot be made.
    func startWorker(
        stages: String,
        in directory: TemporaryDirectory,
        for simulator: BenchSimulator? = nil
    ) throws -> ChildProcess {
        let file = "\(prefix)json5"
        let apns = simulator?.address ?? "127.0.0.1:1"
        let ca = simulator.map { "caFile: \"\($0.caFile)\"," } ?? ""
        try directory.write(
            file,
            """
            {
              kafka: { bootstrapServers: "\(bootstrapServers)", topicPrefix: "\(prefix)", groupPrefix: "\(prefix)" },
              apns: { endpoints: { production: "\(apns)", sandbox: "\(apns)" }, \(ca) },
              apps: [
                { id: "\(Self.appID)", topic: "\(Self.appTopic)", teamId: "TEAM123456", keyId: "KEY1234567",
                  keyFile: "\(directory.path("key.p8"))" },
              ],
              delivery: { lanes: 1 },
            }
            """
        )
        return try ChildProcess([
            ChildProcess.thisProgram, "worker", "--stages", stages, "--config", directory.path(file),
        ])
    }

    /// How many records a topic has been given, the markers of transactions included.
    ///
    /// - Throws: When the broker does not answer.
    func written(to topic: String) throws -> Int64 {
        let settings = KafkaSettings(bootstrapServers: bootstrapServers, clientID: "geopush-bench-ends")
        let reader = try Consumer(settings, group: "geopush-bench", signal: nil)
        return try Self.places(of: topic).reduce(0) { try $0 + reader.watermarks($1, timeoutMillis: 5_000).high }
    }

    /// Waits until a group has committed that it has read all of a topic.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - group: The group.
    ///   - seconds: How long to wait.
    ///   - look: Called from time to time.
    /// - Throws: ``BenchError`` when the time is over.
    func wait(untilRead topic: String, by group: String, seconds: Int64, look: () -> Void) throws {
        let settings = KafkaSettings(bootstrapServers: bootstrapServers, clientID: "geopush-bench-ends")
        let reader = try Consumer(settings, group: group, signal: nil)
        let pause = try EventSignal()
        let end = try written(to: topic)
        let deadline = Clock.monotonicMillis() + seconds * 1_000
        while Clock.monotonicMillis() < deadline {
            // No answer while a transaction is about to change it.
            let offsets = try? reader.committed(Self.places(of: topic), timeoutMillis: 1_000)
            if let offsets, offsets.reduce(0, { $0 + max(0, $1.offset) }) >= end { return }
            look()
            _ = pause.wait(timeoutMillis: 50)
        }
        throw BenchError("\(group) did not read \(topic) in \(seconds) s")
    }

    private static func places(of topic: String) -> [TopicPartition] {
        (0..<Int32(partitions)).map { TopicPartition(topic: topic, partition: $0) }
    }
}
