internal import Observability

extension ConfigurationKey {
    /// Every key, in the order of the file.
    ///
    /// The parser, the options of `geopush worker`, the names of the environment and the tests of README.md and
    /// Config/geopush.json5 all read this list.
    public static let all: [ConfigurationKey] = kafka + apns + work + process

    private static let kafka: [ConfigurationKey] = [
        ConfigurationKey(
            "kafka.bootstrapServers",
            default: "localhost:9092",
            "Brokers to start from, separated by commas.",
            .text(.addressList) { $0.kafka.bootstrapServers = $1 }
        ),
        ConfigurationKey(
            "kafka.topicPrefix",
            default: "geopush.",
            "What every topic's name begins with.",
            .text(.name) { $0.kafka.topicPrefix = $1 }
        ),
        ConfigurationKey(
            "kafka.groupPrefix",
            default: "geopush.",
            "What every consumer group and transactional id begins with.",
            .text(.name) { $0.kafka.groupPrefix = $1 }
        ),
        ConfigurationKey(
            "kafka.instanceId",
            "A lasting name of this replica, which makes its membership static; unset: host, process and chance.",
            .optionalText(.name) { $0.kafka.instanceID = $1 }
        ),
        ConfigurationKey(
            "kafka.properties",
            default: "{}",
            isSecret: true,
            "librdkafka properties, such as TLS and SASL; those that would break a guarantee are refused.",
            .kafkaProperties
        ),
    ]

    private static let apns: [ConfigurationKey] = [
        ConfigurationKey(
            "apns.endpoints.production",
            default: "api.push.apple.com:443",
            "Where production pushes go.",
            .text(.address) { $0.apns.production = Address($1) ?? $0.apns.production }
        ),
        ConfigurationKey(
            "apns.endpoints.sandbox",
            default: "api.sandbox.push.apple.com:443",
            "Where sandbox pushes go.",
            .text(.address) { $0.apns.sandbox = Address($1) ?? $0.apns.sandbox }
        ),
        ConfigurationKey(
            "apns.caFile",
            "PEM file of a private certificate authority, for a simulator; unset: the system's.",
            .optionalText(.path) { $0.apns.caFile = $1 }
        ),
        ConfigurationKey(
            "apns.proxy",
            isSecret: true,
            "HTTP proxy that tunnels to APNs by CONNECT; unset: none.",
            .optionalText(.proxy) { $0.apns.proxy = $1.map { Secret($0) } }
        ),
        ConfigurationKey(
            "apns.connectionsPerLane",
            default: "4",
            "Most connections that a lane opens for one team, key and environment.",
            .integer(1...64) { $0.apns.connectionsPerLane = $1 }
        ),
        ConfigurationKey(
            "apns.requestTimeoutSeconds",
            default: "10",
            "How long a push waits for its answer before it is sent again.",
            .integer(1...300) { $0.apns.requestTimeoutSeconds = $1 }
        ),
        ConfigurationKey("apps", default: "[]", "The apps that pushes go to, each with its APNs key.", .apps),
    ]

    private static let work: [ConfigurationKey] = [
        ConfigurationKey(
            "delivery.lanes",
            default: "min(cores, 2)",
            "Threads that deliver, each with its own consumer, connections and producer.",
            .integer(1...64) { $0.delivery.lanes = $1 }
        ),
        ConfigurationKey(
            "delivery.inFlight",
            default: "4000",
            "Most pushes that a lane has open at once.",
            .integer(1...100_000) { $0.delivery.inFlight = $1 }
        ),
        ConfigurationKey(
            "delivery.retry.baseSeconds",
            default: "1",
            "Longest wait before the first retry of a push; it doubles with each.",
            .number(0.01...3600) { $0.delivery.retryBaseSeconds = $1 }
        ),
        ConfigurationKey(
            "delivery.retry.maxSeconds",
            default: "60",
            "Longest wait between two retries of a push.",
            .number(0.01...86_400) { $0.delivery.retryMaxSeconds = $1 }
        ),
        ConfigurationKey(
            "delivery.retry.maxHoldSeconds",
            default: "300",
            "How long a push whose apns-expiration is 0 is retried.",
            .number(0...604_800) { $0.delivery.retryMaxHoldSeconds = $1 }
        ),
        ConfigurationKey(
            "registry.stateDirectory",
            default: "/var/tmp/geopush/{instance}",
            "Where the device tables live.",
            .optionalText(.path) { $0.registry.stateDirectory = $1 }
        ),
        ConfigurationKey(
            "fanout.maxLag",
            default: "50000",
            "Unfinished pushes above which no further chunk of a campaign is written.",
            .integer(1...1_000_000_000) { $0.fanout.maxLag = $1 }
        ),
        ConfigurationKey(
            "receipts.token",
            default: "plain",
            "How receipts name the device token: as it is, or as its SHA-256.",
            .choice(["plain", "hash"]) { $0.receipts.token = .init(rawValue: $1) ?? $0.receipts.token }
        ),
    ]

    private static let process: [ConfigurationKey] = [
        ConfigurationKey(
            "operations.listen",
            "Address of the admin endpoint (/livez, /readyz, /metrics), such as 127.0.0.1:9464; unset: none.",
            .optionalText(.listenAddress) { $0.operations.listen = $1.flatMap { Address($0, portMin: 0) } }
        ),
        ConfigurationKey(
            "operations.shutdownGraceSeconds",
            default: "20",
            "How long a worker drains at SIGTERM before it leaves the rest to others.",
            .integer(0...3600) { $0.operations.shutdownGraceSeconds = $1 }
        ),
        ConfigurationKey(
            "log.level",
            default: "notice",
            "Least level of log entries that is written.",
            .choice(Logger.Level.allCases.map(\.rawValue)) { $0.log.level = .init(rawValue: $1) ?? $0.log.level }
        ),
        ConfigurationKey(
            "log.format",
            default: "json",
            "Form of log entries.",
            .choice(LogOutput.Format.allCases.map(\.rawValue)) { $0.log.format = .init(rawValue: $1) ?? $0.log.format }
        ),
    ]
}
