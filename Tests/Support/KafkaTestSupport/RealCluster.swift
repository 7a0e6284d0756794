import EventLoop
import FoundationEssentials
import Kafka

/// A real Kafka for tests: one that runs already, or one that is started for them and stopped by ``stop()``.
///
/// `GEOPUSH_TEST_BOOTSTRAP` names one that runs. Without it `KAFKA_HOME` names an unpacked Kafka, whose script
/// `cluster` is used where there is one, and whose `bin` otherwise. `GEOPUSH_TEST_BROKERS` says how many brokers it has.
public final class RealCluster: Sendable {
    /// Why there is no cluster.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened, with the end of the broker's output.
        public let description: String
    }

    /// The addresses of its brokers, for `bootstrap.servers`.
    public let bootstrapServers: String
    /// The unpacked Kafka that it runs from, with its tools; nil when it was running before.
    public let home: String?
    private let directory: String?
    private let broker: ChildProcess?

    /// Whether tests can have one.
    public static var isAvailable: Bool {
        environment("GEOPUSH_TEST_BOOTSTRAP") != nil || environment("KAFKA_HOME") != nil
    }

    /// Starts a cluster, or finds the one that runs.
    ///
    /// - Throws: ``Failure`` when it is not ready in two minutes.
    public init() throws {
        if let bootstrap = RealCluster.environment("GEOPUSH_TEST_BOOTSTRAP") {
            (bootstrapServers, home, directory, broker) = (bootstrap, nil, nil, nil)
            return
        }
        guard let home = RealCluster.environment("KAFKA_HOME") else {
            throw Failure(description: "neither GEOPUSH_TEST_BOOTSTRAP nor KAFKA_HOME is set")
        }
        let brokers = RealCluster.environment("GEOPUSH_TEST_BROKERS") ?? "1"
        let directory = RealCluster.environment("TMPDIR").map { $0 + "/" } ?? "/tmp/"
        let path =
            directory
            + "geopush-kafka-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0...UInt32.max))"
        self.home = home
        self.directory = path
        if FileManager.default.isExecutableFile(atPath: home + "/cluster") {
            broker = nil
            let output = try ChildProcess.run(
                [home + "/cluster", "start", path, "--brokers", brokers],
                timeoutMillis: 120_000
            )
            guard let line = output.split(separator: "\n").last, line.contains(":") else {
                throw Failure(description: "cluster start printed no address: \(output)")
            }
            bootstrapServers = String(line)
            return
        }
        guard brokers == "1" else { throw Failure(description: "\(brokers) brokers need the script \(home)/cluster") }
        (bootstrapServers, broker) = try RealCluster.startBroker(home: home, directory: path)
    }

    /// Ends the brokers that were started here and removes their files.
    public func stop() {
        guard let directory else { return }
        if let broker {
            broker.kill()
            try? FileManager.default.removeItem(atPath: directory)
        } else if let home {
            // A failure leaves processes behind, which is worth a line in the test's output.
            do {
                _ = try ChildProcess.run([home + "/cluster", "stop", directory], timeoutMillis: 60_000)
            } catch {
                print("cluster stop \(directory): \(error)")
            }
        }
    }

    /// Kills, pauses, resumes or starts again one of the brokers that were started here.
    ///
    /// - Parameters:
    ///   - action: What to do.
    ///   - broker: Its number, from 1.
    /// - Throws: ``Failure`` when there is no script for it, or it fails.
    public func act(_ action: BrokerAction, broker: Int) throws {
        guard let home, let directory, FileManager.default.isExecutableFile(atPath: home + "/cluster") else {
            throw Failure(description: "brokers can be stopped with the script cluster only")
        }
        _ = try ChildProcess.run(
            [home + "/cluster", action.rawValue, directory, "--broker", "\(broker)"],
            timeoutMillis: 120_000
        )
    }

    /// What can be done to a broker.
    public enum BrokerAction: String, Sendable {
        case kill, pause, resume
        case start = "start-broker"
    }

    deinit { stop() }

    /// The value of an environment variable that is set and not empty.
    static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Starts one broker that is its own controller.
    private static func startBroker(home: String, directory: String) throws -> (String, ChildProcess) {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let ports = try FreePorts.find(2)
        let file = directory + "/server.properties"
        let properties = """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:\(ports[1])
            controller.listener.names=CONTROLLER
            listeners=PLAINTEXT://127.0.0.1:\(ports[0]),CONTROLLER://127.0.0.1:\(ports[1])
            advertised.listeners=PLAINTEXT://127.0.0.1:\(ports[0])
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
            log.dirs=\(directory)/data
            auto.create.topics.enable=false
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=4
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            transaction.state.log.num.partitions=4
            transaction.abort.timed.out.transaction.cleanup.interval.ms=1000
            group.initial.rebalance.delay.ms=0
            group.min.session.timeout.ms=1000

            """
        try Data(properties.utf8).write(to: URL(filePath: file))
        _ = try ChildProcess.run(
            [home + "/bin/kafka-storage.sh", "format", "-t", "Z2VvcHVzaC10ZXN0LWNsdQ", "-c", file],
            timeoutMillis: 60_000
        )
        let broker = try ChildProcess([home + "/bin/kafka-server-start.sh", file], output: directory + "/broker.log")
        let bootstrap = "127.0.0.1:\(ports[0])"
        let admin = try Admin(KafkaSettings(bootstrapServers: bootstrap, clientID: "start"))
        let deadline = Clock.monotonicMillis() + 120_000
        while Clock.monotonicMillis() < deadline, broker.isRunning {
            if let metadata = try? admin.metadata(timeoutMillis: 1_000), !metadata.brokers.isEmpty {
                return (bootstrap, broker)
            }
        }
        broker.kill()
        let log = ChildProcess.contents(of: directory + "/broker.log")
        throw Failure(description: "the broker was not ready in two minutes: \(log.suffix(2_000))")
    }
}
