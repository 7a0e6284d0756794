public import Observability

/// All settings of a process, checked.
///
/// Printed, it shows no password.
public struct Configuration: Equatable, Sendable {
    /// Brokers, names and client properties.
    public internal(set) var kafka = Kafka()
    /// Where pushes go and how.
    public internal(set) var apns = APNs()
    /// The apps that pushes go to.
    public internal(set) var apps: [App] = []
    /// How pushes are delivered.
    public internal(set) var delivery = Delivery()
    /// Where device tables live.
    public internal(set) var registry = Registry()
    /// How campaigns to many are written.
    public internal(set) var fanout = FanOut()
    /// What receipts hold.
    public internal(set) var receipts = Receipts()
    /// How the process lives.
    public internal(set) var operations = Operations()
    /// What is logged and how.
    public internal(set) var log = Log()

    /// Makes the defaults.
    public init() {}

    /// Settings under `kafka`.
    public struct Kafka: Equatable, Sendable {
        /// Brokers to start from, separated by commas.
        public internal(set) var bootstrapServers = "localhost:9092"
        /// What every topic's name begins with.
        public internal(set) var topicPrefix = "geopush."
        /// What every group's name begins with.
        public internal(set) var groupPrefix = "geopush."
        /// The lasting name of this replica; nil for one made at start.
        public internal(set) var instanceID: String?
        /// librdkafka properties.
        public internal(set) var properties = KafkaProperties()

        /// After how long without a heartbeat a member is taken for dead, in milliseconds.
        public var sessionTimeoutMillis: Int { properties["session.timeout.ms"].flatMap { Int($0) } ?? 10_000 }
    }

    /// Settings under `apns`.
    public struct APNs: Equatable, Sendable {
        /// Where production pushes go.
        public internal(set) var production = Address(host: "api.push.apple.com", port: 443)
        /// Where sandbox pushes go.
        public internal(set) var sandbox = Address(host: "api.sandbox.push.apple.com", port: 443)
        /// PEM file of a private certificate authority.
        public internal(set) var caFile: String?
        /// HTTP proxy, `http://host:port`, perhaps with user and password.
        public internal(set) var proxy: Secret?
        /// Most connections of a lane for one team, key and environment.
        public internal(set) var connectionsPerLane = 4
        /// How long a push waits for its answer.
        public internal(set) var requestTimeoutSeconds = 10
    }

    /// One entry of `apps`.
    public struct App: Equatable, Sendable {
        /// The name that events use.
        public let id: String
        /// The APNs topic, the app's bundle identifier.
        public let topic: String
        /// The developer team.
        public let teamID: String
        /// The signing key's identifier.
        public let keyID: String
        /// The signing key, a .p8 file.
        public let keyFile: String
        /// A pushes topic of its own; nil for the common one.
        public let pushesTopic: String?
    }

    /// Settings under `delivery`.
    public struct Delivery: Equatable, Sendable {
        /// Threads that deliver; nil for ``lanesByDefault(cores:)``.
        public internal(set) var lanes: Int?
        /// Most pushes a lane has open at once.
        public internal(set) var inFlight = 4000
        /// Longest wait before the first retry.
        public internal(set) var retryBaseSeconds = 1.0
        /// Longest wait between two retries.
        public internal(set) var retryMaxSeconds = 60.0
        /// How long a push without an expiration is retried.
        public internal(set) var retryMaxHoldSeconds = 300.0

        /// The number of lanes where none is set.
        ///
        /// - Parameter cores: The processors that the process may use.
        /// - Returns: 1 or 2.
        public static func lanesByDefault(cores: Int) -> Int { max(1, min(cores, 2)) }
    }

    /// Settings under `registry`.
    public struct Registry: Equatable, Sendable {
        /// Where device tables live; nil for a folder of the instance under the default.
        public internal(set) var stateDirectory: String?

        /// The folder of device tables.
        ///
        /// - Parameter instance: The name of this process.
        /// - Returns: The folder that is set, or one of this instance.
        public func directory(instance: String) -> String { stateDirectory ?? "/var/tmp/geopush/\(instance)" }
    }

    /// Settings under `fanout`.
    public struct FanOut: Equatable, Sendable {
        /// Unfinished pushes above which no further chunk is written.
        public internal(set) var maxLag = 50_000
    }

    /// Settings under `receipts`.
    public struct Receipts: Equatable, Sendable {
        /// How receipts name the device token.
        public enum Token: String, Sendable { case plain, hash }
        /// How receipts name the device token.
        public internal(set) var token = Token.plain
    }

    /// Settings under `operations`.
    public struct Operations: Equatable, Sendable {
        /// Address of the admin endpoint; nil for none.
        public internal(set) var listen: Address?
        /// How long a worker drains at SIGTERM.
        public internal(set) var shutdownGraceSeconds = 20
    }

    /// Settings under `log`.
    public struct Log: Equatable, Sendable {
        /// Least level that is written.
        public internal(set) var level = Logger.Level.notice
        /// Form of an entry.
        public internal(set) var format = LogOutput.Format.json
    }
}
