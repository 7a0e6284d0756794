extension KafkaProperties {
    /// Why a property may not be set, or nil when it may.
    ///
    /// - Parameter name: The property, in any case.
    /// - Returns: A clause that ends the sentence "it is refused because".
    public static func refusal(of name: String) -> String? {
        let lower = name.lowercased()
        if let reason = refused.first(where: { $0.names.contains(lower) })?.reason { return reason }
        if lower.hasPrefix("test.") || lower.hasPrefix("ut_") { return "it is for librdkafka's own tests" }
        if lower.hasSuffix("_cb") || lower.hasSuffix(".cb") { return "it is a function, which geopush sets itself" }
        return nil
    }

    /// The names of all refused properties.
    public static var refusedNames: [String] { refused.flatMap(\.names) }

    private static let refused: [(names: [String], reason: String)] = [
        (["bootstrap.servers", "metadata.broker.list"], "kafka.bootstrapServers says it"),
        (["client.id"], "the lane's number must come first in it, or replicas get no partitions"),
        (["group.id"], "kafka.groupPrefix says it"),
        (["group.instance.id"], "kafka.instanceId says it"),
        (["transactional.id"], "it is made of kafka.groupPrefix and the instance, and fences a former owner"),
        (
            ["group.protocol", "group.protocol.type", "group.remote.assignor"],
            "the order of commit and revoke depends on the classic group protocol"
        ),
        (["partition.assignment.strategy"], "all replicas must use the same, which follows librdkafka's version"),
        (
            ["enable.auto.commit", "auto.commit.enable", "auto.commit.interval.ms"],
            "an offset is committed only after its receipts are acknowledged"
        ),
        (
            [
                "enable.auto.offset.store", "offset.store.method", "offset.store.path",
                "offset.store.sync.interval.ms",
            ],
            "offsets are stored by geopush itself, after the receipts"
        ),
        (["isolation.level"], "records of an aborted transaction must not be read"),
        (["auto.offset.reset"], "a group without offsets must start at the earliest record, or events are lost"),
        (["enable.partition.eof"], "the end of a partition must be seen, or transaction markers leave a lag for ever"),
        (["consume.callback.max.messages"], "records are taken from queues, not by callbacks"),
        (
            ["allow.auto.create.topics"],
            "a topic made by chance has the wrong settings; geopush topics create makes them"
        ),
        (["topic.blacklist"], "a topic left out would look like one without events"),
        (["acks", "request.required.acks"], "a receipt must be on all replicas before its offset is committed"),
        (
            [
                "enable.idempotence", "max.in.flight", "max.in.flight.requests.per.connection",
                "message.send.max.retries", "retries", "enable.gapless.guarantee", "queuing.strategy",
            ],
            "records must be written once and in order"
        ),
        (
            ["message.timeout.ms", "delivery.timeout.ms"],
            "each producer sets it to fit its transactions and its receipts"
        ),
        (["transaction.timeout.ms"], "it bounds how long a killed Intake hides the records of others"),
        (["delivery.report.only.error"], "an offset waits for the report of its receipt"),
        (["partitioner", "msg_order_cmp"], "records of one key must go to the partition where Java clients put them"),
        (["message.max.bytes"], "dead letters must hold the largest event"),
        (
            ["api.version.request", "api.version.fallback.ms", "broker.version.fallback"],
            "a broker taken for an old one gets neither headers nor transactions"
        ),
        (
            ["enabled_events", "log.queue", "opaque", "default_topic_conf", "internal.termination.signal"],
            "geopush sets it itself"
        ),
        (["interceptors", "plugin.library.paths"], "code in the client's path could change or hold back records"),
    ]
}
