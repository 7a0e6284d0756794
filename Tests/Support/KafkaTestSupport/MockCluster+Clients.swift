public import Kafka
import Observability

/// For brokers that are down on purpose.
private let silence = Logger(label: "kafka", output: LogOutput(level: .critical, format: .text) { _ in })

extension MockCluster {
    /// Settings of a client of this cluster, quick where the mock is slow by default.
    ///
    /// - Parameters:
    ///   - clientID: The client's name.
    ///   - properties: What differs.
    /// - Returns: The settings.
    public func settings(_ clientID: String, _ properties: [(String, String)] = []) -> KafkaSettings {
        var settings = KafkaSettings(
            bootstrapServers: bootstrapServers,
            clientID: clientID,
            properties: [
                // A first join is answered after 3 s, and a member that is not heard of for its session is thrown out
                // before; a later rebalance waits for the session less a second. An empty fetch is not woken by data.
                ("session.timeout.ms", "4000"), ("heartbeat.interval.ms", "200"), ("fetch.wait.max.ms", "10"),
                ("reconnect.backoff.ms", "20"), ("reconnect.backoff.max.ms", "100"),
            ] + properties
        )
        settings.logger = silence
        return settings
    }

    /// Makes a topic with records whose values are their numbers, one partition after the other in turn.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - partitions: How many partitions.
    ///   - count: How many records in all.
    /// - Throws: ``MissingEvent`` when they are not acknowledged.
    public func fill(_ name: String, partitions: Int = 1, count: Int) throws {
        try createTopic(name, partitions: partitions)
        let producer = try Producer(settings("fill", [("linger.ms", "1")]), signal: nil)
        let topic = try producer.topic(name)
        for index in 0..<count {
            let result = producer.send("\(index)", to: topic, partition: Int32(index % partitions))
            guard result == .queued else { throw MissingEvent(description: "record \(index): \(result)") }
        }
        var acknowledged = 0
        let isFlushed = producer.flush(timeoutMillis: 20_000) { if $0.isAcknowledged { acknowledged += 1 } }
        guard isFlushed, acknowledged == count else {
            throw MissingEvent(description: "\(acknowledged) of \(count) records acknowledged")
        }
    }
}
