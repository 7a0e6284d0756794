internal import APNs
internal import APNsSimulator
internal import EventLoop
internal import Events
internal import Kafka
internal import Operations
internal import Pipeline
internal import Synchronization

/// The Kafka, the APNs and the worker of the demo, all in this process.
final class DemoWorld {
    /// A push as APNs got it.
    struct ExamplePush {
        let type: String
        let collapseID: String
        let body: String
    }

    private static let partitions = 4
    private static let answersKept = 20_000
    private static let readyMillis: Int64 = 30_000
    private static let graceMillis: Int64 = 5_000

    private let directory: TemporaryDirectory
    private let cluster: MockCluster
    private let simulator: APNsSimulator
    private let configuration: Configuration
    private let worker: Worker
    private let failure = DemoFailure()
    /// Never raised: what a wait ends by is its time.
    private let pause: EventSignal

    /// Starts the cluster and the simulator, and makes the worker.
    init(_ events: DemoEvents) throws {
        directory = try TemporaryDirectory()
        pause = try EventSignal()
        try directory.writeProviderKey("key.p8")
        cluster = try MockCluster(brokers: 1)
        var options = SimulatorOptions()
        options.tlsDirectory = directory.path("tls")
        options.devices = events.devices
        options.apps = [DemoEvents.appTopic]
        options.answersKept = Self.answersKept
        simulator = try APNsSimulator(options)
        try simulator.start()
        let text = Self.configurationText(cluster.bootstrapServers, "\(simulator.address)", simulator.caFile, directory)
        configuration = try ConfigurationReader(file: ("the demo's configuration", Array(text.utf8))).read()
            .configuration
        let names = configuration.kafka.topicPrefix
        let topics = TopicTable(prefix: names, apps: configuration.apps, partitions: Self.partitions, replication: 1)
        for topic in topics.specifications { try cluster.createTopic(topic.name, partitions: Self.partitions) }
        let settings = try configuration.workerSettings(stages: [.intake, .delivery], tokens: ProviderTokens())
        worker = try Worker(settings: settings) { [failure] in failure.set($0.message) }
    }

    private static func configurationText(
        _ bootstrapServers: String,
        _ apns: String,
        _ caFile: String,
        _ directory: TemporaryDirectory
    ) -> String {
        """
        {
          kafka: { bootstrapServers: "\(bootstrapServers)", properties: { "fetch.wait.max.ms": "10" } },
          apns: { endpoints: { production: "\(apns)", sandbox: "\(apns)" }, caFile: "\(caFile)" },
          apps: [
            { id: "shop", topic: "\(DemoEvents.appTopic)", teamId: "DEMOTEAM01", keyId: "DEMOKEY001",
              keyFile: "\(directory.path("key.p8"))" },
          ],
          delivery: { lanes: 1 },
        }
        """
    }

    var bootstrapServers: String { cluster.bootstrapServers }
    var apns: String { "\(simulator.address)" }

    /// Starts the worker and waits until it is ready.
    func startWorker() throws {
        try worker.start()
        let deadline = Clock.monotonicMillis() + Self.readyMillis
        while !worker.isReady {
            if let message = failure.message { throw DemoError(message) }
            guard Clock.monotonicMillis() < deadline else { throw DemoError("the worker did not become ready") }
            _ = pause.wait(timeoutMillis: 20)
        }
    }

    /// Publishes all events as `geopush publish` does.
    func publish(_ events: DemoEvents) throws {
        let prefix = configuration.kafka.topicPrefix
        var records: [(message: PublishMessage, topic: String)] = []
        for event in events.all {
            let plan = PublishPlan(
                input: Array(event.json.utf8),
                kind: event.isCampaign ? .campaign : .location,
                apps: configuration.apps.map { EventApp(id: $0.id, topic: $0.topic) },
                nowMillis: Clock.wallMillis()
            )
            if let fault = plan.faults.first { throw DemoError("\(fault)") }
            let topic = prefix + (event.isCampaign ? "campaign-events" : "location-events")
            records += plan.messages.map { ($0, topic) }
        }
        guard try EventPublisher(configuration.kafka).publish(records).places.allSatisfy({ $0 != nil }) else {
            throw DemoError("an event was not acknowledged")
        }
    }

    /// Reads receipts until there are so many, or the time is over.
    func readReceipts(count: Int, timeoutMillis: Int64, progress: (Int) -> Void) throws -> ReceiptSummary {
        let settings = configuration.kafka.settings(forCommand: "demo")
        let consumer = try Consumer(settings, group: "demo-receipts", signal: nil)
        let topic = configuration.kafka.topicPrefix + "receipts"
        let queue = try consumer.assignShared(
            (0..<Self.partitions).map { (TopicPartition(topic: topic, partition: Int32($0)), Consumer.beginning) }
        )
        var batch = RecordBatch(capacity: 1_000)
        var reader = ReceiptReader()
        var summary = ReceiptSummary()
        var said = 0
        let deadline = Clock.monotonicMillis() + timeoutMillis
        while summary.total < count, Clock.monotonicMillis() < deadline {
            if let message = failure.message { throw DemoError(message) }
            _ = queue.take(into: &batch, max: 1_000, timeoutMillis: 20)
            while let record = batch.next() {
                guard let value = unsafe record.value, let receipt = unsafe reader.read(value) else { continue }
                summary.add(receipt)
            }
            if summary.total >= said + count / 4 {
                said = summary.total
                progress(said)
            }
        }
        return summary
    }

    /// A push of each event, as far as APNs has kept them.
    var examplePushes: [ExamplePush] {
        var seen: Set<String> = []
        return simulator.answers().compactMap { answer in
            let body = String(decoding: answer.body, as: UTF8.self)
            guard answer.status == 200, seen.insert(body).inserted else { return nil }
            return ExamplePush(
                type: answer.headers["apns-push-type"] ?? "",
                collapseID: answer.headers["apns-collapse-id"] ?? "",
                body: body
            )
        }
    }

    /// Ends the worker and the simulator.
    func stop() throws {
        worker.stop(graceMillis: Self.graceMillis)
        simulator.stop()
        if let message = failure.message { throw DemoError(message) }
    }
}

/// Why the worker gave up, if it did; told by any thread.
private final class DemoFailure: Sendable {
    private let value = Mutex<String?>(nil)

    var message: String? { value.withLock { $0 } }

    func set(_ message: String) { value.withLock { $0 = $0 ?? message } }
}
