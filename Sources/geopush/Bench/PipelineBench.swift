internal import EventLoop
internal import Kafka

/// `bench pipeline`: what a push costs a worker from Kafka to APNs to its receipt, on a real broker.
///
/// Topics of its own are filled, then a worker runs in one process and a simulator in another until every receipt is
/// there. The worker's CPU and memory are what the system says when it has ended.
struct PipelineBench {
    /// What one run came to.
    struct Result {
        let cpuMicrosPerPush: Double
        let simulatorMicrosPerPush: Double
        let peakKiB: Int
        /// From the worker's start to the last receipt.
        let seconds: Double
    }

    private static let partitions = 8
    private static let appTopic = "com.example.bench"
    private static let receiptsSeconds: Int64 = 180

    let bootstrapServers: String
    let pushes: Int
    let lanes: Int

    /// Runs one worker over one fill of the topics.
    func run(_ form: PushLoad.Form) throws -> Result {
        let prefix = "bench-\(Clock.wallMillis())-\(form.rawValue)."
        let admin = try Admin(KafkaSettings(bootstrapServers: bootstrapServers, clientID: "geopush-bench"))
        try createTopics(admin, prefix)
        let load = PushLoad(
            bootstrapServers: bootstrapServers,
            topic: prefix + "pushes",
            appTopic: Self.appTopic,
            form: form
        )
        try load.write(pushes)
        let directory = try TemporaryDirectory()
        try directory.writeProviderKey("key.p8")
        let simulator = try ChildProcess([
            ChildProcess.thisProgram, "simulate-apns", "--listen", "127.0.0.1:0", "--tls-directory",
            directory.path("tls"), "--signing-key", "TEAM123456:KEY1234567:\(directory.path("key.p8"))", "--app",
            Self.appTopic,
        ])
        guard let line = simulator.readLine(), let port = port(in: line) else {
            throw BenchError("the simulator did not start")
        }
        try directory.write("geopush.json5", configuration(directory, prefix: prefix, port: port))
        let startedMillis = Clock.monotonicMillis()
        let worker = try ChildProcess([
            ChildProcess.thisProgram, "worker", "--stages", "delivery", "--config", directory.path("geopush.json5"),
        ])
        try awaitReceipts(topic: prefix + "receipts")
        let seconds = Double(Clock.monotonicMillis() - startedMillis) / 1_000
        worker.terminate()
        let spent = worker.wait()
        simulator.terminate()
        let simulated = simulator.wait()
        guard spent.exitCode == 0 else { throw BenchError("the worker ended with exit code \(spent.exitCode)") }
        return Result(
            cpuMicrosPerPush: spent.cpuMicros / Double(pushes),
            simulatorMicrosPerPush: simulated.cpuMicros / Double(pushes),
            peakKiB: spent.peakKiB,
            seconds: seconds
        )
    }

    private func createTopics(_ admin: Admin, _ prefix: String) throws {
        let names = ["pushes", "receipts", "unregistered"].map { prefix + $0 }
        _ = try admin.create(
            names.map { TopicSpecification(name: $0, partitions: Self.partitions, replication: 1, settings: []) },
            timeoutMillis: 10_000
        )
        try admin.waitUntilKnown(names, timeoutMillis: 10_000)
    }

    private func configuration(_ directory: TemporaryDirectory, prefix: String, port: String) -> String {
        """
        {
          kafka: { bootstrapServers: "\(bootstrapServers)", topicPrefix: "\(prefix)", groupPrefix: "\(prefix)" },
          apns: {
            endpoints: { production: "127.0.0.1:\(port)", sandbox: "127.0.0.1:\(port)" },
            caFile: "\(directory.path("tls"))/ca.pem",
          },
          apps: [
            { id: "bench", topic: "\(Self.appTopic)", teamId: "TEAM123456", keyId: "KEY1234567",
              keyFile: "\(directory.path("key.p8"))" },
          ],
          delivery: { lanes: \(lanes) },
        }
        """
    }

    /// The port in the line `{"listening":"127.0.0.1:2197",…}`.
    private func port(in line: String) -> String? {
        guard let start = line.firstRange(of: "127.0.0.1:")?.upperBound else { return nil }
        return String(line[start...].prefix { $0.isNumber })
    }

    private func awaitReceipts(topic: String) throws {
        let settings = KafkaSettings(bootstrapServers: bootstrapServers, clientID: "geopush-bench-receipts")
        let reader = try Consumer(settings, group: "geopush-bench", signal: nil)
        let pause = try EventSignal()
        let deadline = Clock.monotonicMillis() + Self.receiptsSeconds * 1_000
        while true {
            var count: Int64 = 0
            for partition in 0..<Self.partitions {
                let place = TopicPartition(topic: topic, partition: Int32(partition))
                count += try reader.watermarks(place, timeoutMillis: 5_000).high
            }
            if count >= Int64(pushes) { return }
            guard Clock.monotonicMillis() < deadline else { throw BenchError("\(count) receipts of \(pushes) pushes") }
            _ = pause.wait(timeoutMillis: 100)
        }
    }
}
