import FoundationEssentials
import Glibc
public import Kafka
public import KafkaTestSupport

/// A geopush as a team runs it: topics on a real Kafka, a configuration, a simulator and workers in processes.
public final class Installation {
    /// Its Kafka.
    public let cluster: RealCluster
    /// Its files.
    public let folder: TemporaryFolder
    /// What its topics and groups begin with.
    public let prefix: String
    /// How many partitions each topic has.
    public let partitions: Int
    /// Its APNs, once started.
    public private(set) var simulator: GeopushProcess?
    private var started = 0

    /// Where the simulator writes its requests.
    public var simulatorLog: String { folder.file("simulator.log") }

    /// Creates the topics by the command.
    ///
    /// - Parameter partitions: How many each has.
    public init(partitions: Int) async throws {
        cluster = try RealCluster.shared
        folder = try TemporaryFolder()
        prefix = "e2e\(UInt32.random(in: 0...UInt32.max))."
        self.partitions = partitions
        _ = try folder.writeProviderKey()
        _ = try await run(
            ["topics", "create", "--partitions", "\(partitions)"] + connection,
            name: "topics"
        )
    }

    private var connection: [String] {
        ["--kafka-bootstrap-servers", cluster.bootstrapServers, "--kafka-topic-prefix", prefix]
    }

    /// Options that name the configuration.
    public var configuration: [String] { ["--config", folder.file("geopush.json5")] }

    /// Settings of a client.
    public func settings(_ clientID: String, _ properties: [(String, String)] = []) -> KafkaSettings {
        cluster.settings(clientID, properties)
    }

    /// Runs a command to its end.
    ///
    /// - Returns: What it printed.
    @discardableResult
    public func run(_ arguments: [String], name: String, seconds: Int64 = 120) async throws -> String {
        let process = try GeopushProcess(arguments, name: name, in: folder)
        let code = try await process.wait(seconds: seconds)
        guard code == 0 else {
            throw Overdue("geopush \(arguments.joined(separator: " ")): \(code), \(process.errors)")
        }
        return process.output
    }

    /// Starts an APNs and writes the configuration of workers that use it.
    ///
    /// - Parameters:
    ///   - faults: What goes wrong on purpose, each as JSON.
    ///   - keepsLog: Whether it writes its requests.
    ///   - delivery: Settings of the delivery stage.
    ///   - properties: librdkafka properties, each with a comma behind it.
    public func startAPNs(
        faults: [String] = [],
        keepsLog: Bool = false,
        delivery: String = "lanes: 1",
        properties: String = ""
    ) async throws {
        var arguments = ["simulate-apns", "--listen", "127.0.0.1:0", "--tls-directory", folder.file("tls")]
        if !faults.isEmpty {
            try folder.write(faults.map { $0 + "\n" }.joined(), to: "faults")
            arguments += ["--faults", folder.file("faults")]
        }
        if keepsLog { arguments += ["--log", simulatorLog] }
        let process = try GeopushProcess(arguments, name: "simulator", in: folder)
        simulator = process
        try await eventually("the simulator listens", state: { process.errors }) { process.output.contains("\n") }
        let announcement = try JSONDecoder().decode(Announcement.self, from: Data(process.output.utf8))
        let address = announcement.listening.replacing("127.0.0.1", with: "localhost")
        try folder.write(
            """
            {
              kafka: {
                bootstrapServers: "\(cluster.bootstrapServers)", topicPrefix: "\(prefix)", groupPrefix: "\(prefix)",
                properties: { \(properties) },
              },
              apns: {
                endpoints: { production: "\(address)", sandbox: "\(address)" },
                caFile: "\(announcement.ca)",
              },
              apps: [
                { id: "demo", topic: "com.example.demo", teamId: "TEAMIDENT1", keyId: "KEYIDENT01",
                  keyFile: "\(folder.file("key.p8"))" },
                { id: "shop", topic: "com.example.shop", teamId: "TEAMIDENT1", keyId: "KEYIDENT01",
                  keyFile: "\(folder.file("key.p8"))" },
              ],
              delivery: { \(delivery) },
            }
            """,
            to: "geopush.json5"
        )
    }

    private struct Announcement: Decodable {
        let listening: String
        let ca: String
    }

    /// Ends the simulator as an operator does.
    ///
    /// - Returns: What it has counted.
    public func stopAPNs() async throws -> SimulatorCounts {
        guard let process = simulator else { throw Overdue("there is no simulator") }
        process.kill(SIGTERM)
        let code = try await process.wait()
        guard code == 0, let line = process.output.split(separator: "\n").last else {
            throw Overdue("the simulator ended with \(code): \(process.errors)")
        }
        return try JSONDecoder().decode(SimulatorCounts.self, from: Data(line.utf8))
    }

    /// Starts a worker.
    ///
    /// - Parameter stages: What it does; nil: all.
    public func startWorker(_ stages: String? = nil) throws -> GeopushProcess {
        started += 1
        let arguments = ["worker"] + (stages.map { ["--stages", $0] } ?? []) + configuration
        return try GeopushProcess(arguments, name: "worker-\(started)", in: folder)
    }

    /// Starts workers and waits until they are ready.
    public func startWorkers(_ count: Int, _ stages: String? = nil) async throws -> [GeopushProcess] {
        let workers = try (0..<count).map { _ in try startWorker(stages) }
        for worker in workers { try await worker.waitForError(containing: #""ready""#) }
        return workers
    }

    /// Waits until a group has committed all of its topics to their ends: lag 0 on every partition.
    public func waitUntilDone(group: String, topics: [String], seconds: Int64 = 120) async throws {
        let positions = try Positions(settings("lag"), group: prefix + group)
        for topic in topics {
            var state = ""
            try await eventually("\(group) has no lag in \(topic)", seconds: seconds, state: { state }) {
                do {
                    let committed = try positions.committed(in: prefix + topic, partitions: partitions)
                    let ends = try positions.ends(of: prefix + topic, partitions: partitions)
                    // Without a commit the lag is all there is, and a partition that was never written has none.
                    let lags = zip(committed, ends).map { $1 - max(0, $0) }
                    state = "lags \(lags)"
                    return lags.allSatisfy { $0 == 0 }
                } catch let error as KafkaError {
                    // A broker that is just coming back is asked again.
                    state = "\(error)"
                    return false
                }
            }
        }
    }
}

/// What `simulate-apns` prints at its end.
public struct SimulatorCounts: Decodable {
    /// All requests.
    public let requests: Int
    /// Those answered with 200.
    public let accepted: Int
    /// How many apns-ids those had.
    public let distinctApnsIds: Int
    /// How many of them came again.
    public let duplicateAccepted: Int
}
