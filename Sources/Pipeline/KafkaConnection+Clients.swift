internal import Kafka

/// What each kind of client gets beside the wrapper's defaults.
extension KafkaConnection {
    /// Our default for `session.timeout.ms`: after a kill the survivors stand still that long.
    private static let sessionTimeoutDefaultMillis: Int64 = 10_000

    /// How long the group waits for a member that says nothing, in milliseconds.
    var sessionTimeoutMillis: Int64 {
        properties.last { $0.0 == "session.timeout.ms" }.flatMap { Int64($0.1) } ?? Self.sessionTimeoutDefaultMillis
    }

    /// Properties of producers only; a consumer would warn about them.
    private static let producerOnly: Set<String> = [
        "linger.ms", "batch.size", "batch.num.messages", "compression.type", "compression.codec", "compression.level",
        "queue.buffering.max.messages", "queue.buffering.max.kbytes", "queue.buffering.max.ms", "message.timeout.ms",
        "delivery.timeout.ms", "request.timeout.ms", "transaction.timeout.ms", "retries", "message.send.max.retries",
    ]

    /// Properties of consumers only.
    private static let consumerOnly: Set<String> = [
        "session.timeout.ms", "heartbeat.interval.ms", "max.poll.interval.ms", "fetch.wait.max.ms", "fetch.min.bytes",
        "fetch.max.bytes", "fetch.message.max.bytes", "max.partition.fetch.bytes", "queued.min.messages",
        "queued.max.messages.kbytes", "fetch.queue.backoff.ms", "fetch.error.backoff.ms",
        "partition.assignment.strategy", "check.crcs",
    ]

    /// Settings of a member of a group.
    ///
    /// - Parameters:
    ///   - clientID: The lane first: the range assignor sorts members by it.
    ///   - member: The `group.instance.id` of a static member.
    /// - Returns: The settings.
    func consumerSettings(clientID: String, member: String) -> KafkaSettings {
        var settings = KafkaSettings(
            bootstrapServers: bootstrapServers,
            clientID: clientID,
            properties: properties.filter { !Self.producerOnly.contains($0.0) }
        )
        if isStatic { settings.set("group.instance.id", member) }
        return settings
    }

    /// Settings of a client that neither produces nor joins a group.
    func clientSettings(clientID: String) -> KafkaSettings {
        KafkaSettings(
            bootstrapServers: bootstrapServers,
            clientID: clientID,
            properties: properties.filter { !Self.consumerOnly.contains($0.0) && !Self.producerOnly.contains($0.0) }
        )
    }

    /// Settings of a producer.
    func producerSettings(clientID: String) -> KafkaSettings {
        KafkaSettings(
            bootstrapServers: bootstrapServers,
            clientID: clientID,
            properties: properties.filter { !Self.consumerOnly.contains($0.0) }
        )
    }
}
