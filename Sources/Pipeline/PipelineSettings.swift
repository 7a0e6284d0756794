public import APNs
public import HTTP2

/// The names of the topics that the stages read and write.
public struct TopicNames: Sendable {
    /// What backend teams publish about places.
    public var locationEvents: String
    /// What backend teams publish about campaigns.
    public var campaignEvents: String
    /// Finished pushes, one a device.
    public var pushes: String
    /// One receipt for every push.
    public var receipts: String
    /// Tokens that APNs has declared dead.
    public var unregistered: String
    /// Records that no stage can use.
    public var deadLetters: String

    /// Makes the names of design: a prefix such as `geopush.` and a fixed rest.
    public init(prefix: String) {
        locationEvents = prefix + "location-events"
        campaignEvents = prefix + "campaign-events"
        pushes = prefix + "pushes"
        receipts = prefix + "receipts"
        unregistered = prefix + "unregistered"
        deadLetters = prefix + "dead-letters"
    }
}

/// How the stages reach Kafka, and who they are there.
public struct KafkaConnection: Sendable {
    /// The brokers, `host:port` separated by commas.
    public var bootstrapServers: String
    /// Any further librdkafka property, already checked.
    public var properties: [(String, String)]
    /// What the group and transaction names begin with, such as `geopush.`.
    public var groupPrefix: String
    /// This replica's name, unique in the fleet.
    public var instance: String
    /// The name is kept over restarts: members are static.
    public var isStatic: Bool

    /// Makes the settings from checked values.
    public init(
        bootstrapServers: String,
        properties: [(String, String)],
        groupPrefix: String,
        instance: String,
        isStatic: Bool
    ) {
        self.bootstrapServers = bootstrapServers
        self.properties = properties
        self.groupPrefix = groupPrefix
        self.instance = instance
        self.isStatic = isStatic
    }
}

/// One iPhone app, and the key that may push to it.
public struct AppCredential: Sendable {
    /// The app's name in events.
    public var id: String
    /// Its bundle identifier, the base of every `apns-topic`.
    public var topic: String
    /// The provider token of its team and key, shared by all lanes.
    public var token: ProviderTokenSource
    /// A pushes topic of its own, or nil for the common one.
    public var pushesTopic: String?

    /// Makes the credential of one app.
    public init(id: String, topic: String, token: ProviderTokenSource, pushesTopic: String?) {
        self.id = id
        self.topic = topic
        self.token = token
        self.pushesTopic = pushesTopic
    }
}

/// How a lane sends.
public struct DeliverySettings: Sendable {
    /// How many lanes, each a thread with its own consumer, connections and producer.
    public var lanes: Int
    /// The most pushes in flight in one lane.
    public var inFlight: Int
    /// The most connections of one lane to one environment with one key.
    public var connectionsPerLane: Int
    /// How long APNs may take for one request, in milliseconds.
    public var requestTimeoutMillis: Int64
    /// Pauses between attempts.
    public var retry: Backoff
    /// How long a push that may not be stored (expiration 0) is retried, in milliseconds.
    public var maxHoldMillis: Int64
    /// Where production tokens go.
    public var production: Endpoint
    /// Where sandbox tokens go.
    public var sandbox: Endpoint
    /// The apps that may be pushed to.
    public var apps: [AppCredential]
    /// Receipts carry a digest in the place of the token.
    public var hashesTokens: Bool

    /// Makes the settings of the delivery stage.
    public init(
        lanes: Int,
        inFlight: Int,
        connectionsPerLane: Int,
        requestTimeoutMillis: Int64,
        retry: Backoff,
        maxHoldMillis: Int64,
        production: Endpoint,
        sandbox: Endpoint,
        apps: [AppCredential],
        hashesTokens: Bool
    ) {
        self.lanes = lanes
        self.inFlight = inFlight
        self.connectionsPerLane = connectionsPerLane
        self.requestTimeoutMillis = requestTimeoutMillis
        self.retry = retry
        self.maxHoldMillis = maxHoldMillis
        self.production = production
        self.sandbox = sandbox
        self.apps = apps
        self.hashesTokens = hashesTokens
    }
}

/// Everything that a worker needs to know.
public struct WorkerSettings: Sendable {
    /// The stages that a replica can run.
    public enum Stage: String, Sendable, CaseIterable {
        case intake, delivery
    }

    /// The stages that this one runs.
    public var stages: Set<Stage>
    /// How to reach Kafka.
    public var kafka: KafkaConnection
    /// The topics.
    public var topics: TopicNames
    /// How to send.
    public var delivery: DeliverySettings

    /// Makes the settings of a worker.
    public init(stages: Set<Stage>, kafka: KafkaConnection, topics: TopicNames, delivery: DeliverySettings) {
        self.stages = stages
        self.kafka = kafka
        self.topics = topics
        self.delivery = delivery
    }
}
