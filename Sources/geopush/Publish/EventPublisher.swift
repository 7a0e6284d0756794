internal import Events
internal import Kafka
internal import Operations

/// Sends checked records and waits until the brokers have them.
struct EventPublisher {
    /// Where a record stands in its topic.
    struct Place {
        let partition: Int32
        let offset: Int64
    }

    /// What became of records.
    struct Outcome {
        /// For each its place; nil where no broker acknowledged it.
        var places: [Place?]
        /// Why the first of those was not; nil where no answer came.
        var failure: KafkaError?
    }

    /// How long a first answer of any broker may take.
    private static let contactMillis = 10_000
    /// How long all acknowledgements may take.
    private static let timeoutMillis = 60_000
    /// How long a full queue is drained before the next try.
    private static let pauseMillis = 100

    private let kafka: Configuration.Kafka
    private let producer: Producer

    /// Makes a producer.
    ///
    /// - Parameter kafka: Where the cluster is.
    /// - Throws: The property that librdkafka refuses.
    init(_ kafka: Configuration.Kafka) throws(CommandFailure) {
        self.kafka = kafka
        do throws(KafkaError) {
            producer = try Producer(kafka.settings(forCommand: "publish"), signal: nil)
        } catch {
            throw .configuration("\(error.message): correct kafka.properties")
        }
    }

    /// Sends records in order.
    ///
    /// - Parameter records: The records with their topics.
    /// - Returns: What became of each.
    /// - Throws: A failure before anything was sent: no broker, or no such topic.
    func publish(_ records: [(message: PublishMessage, topic: String)]) throws(CommandFailure) -> Outcome {
        let topics = try open(Set(records.map(\.topic)))
        var outcome = Outcome(places: .init(repeating: nil, count: records.count))
        var reports = DeliveryReports(capacity: 256)
        for (index, record) in records.enumerated() {
            guard let topic = topics[record.topic] else { continue }
            var result = produce(record.message, to: topic, opaque: UInt64(index))
            while result == .queueFull {
                producer.pollReports(&reports, timeoutMillis: Self.pauseMillis)
                for report in 0..<reports.count { take(reports[report], &outcome) }
                result = produce(record.message, to: topic, opaque: UInt64(index))
            }
            if case .failed(let code) = result { note(code, &outcome) }
        }
        // What is not acknowledged by then has no place.
        _ = producer.flush(timeoutMillis: Self.timeoutMillis) { take($0, &outcome) }
        return outcome
    }

    private func open(_ names: Set<String>) throws(CommandFailure) -> [String: ProducerTopic] {
        var topics: [String: ProducerTopic] = [:]
        for name in names.sorted() {
            do throws(KafkaError) {
                topics[name] = try producer.topic(name, timeoutMillis: Self.contactMillis)
            } catch {
                guard error.code == KafkaError.unknownTopicOrPartition else { throw .unreachable(kafka, error) }
                throw .configuration("the topic \(name) does not exist: run geopush topics create")
            }
        }
        return topics
    }

    private func produce(_ message: PublishMessage, to topic: ProducerTopic, opaque: UInt64) -> ProduceResult {
        let headers = message.headers.map { ($0.name, Optional($0.value)) }
        return unsafe message.key.withUnsafeBytes { key in
            unsafe message.value.withUnsafeBytes { value in
                unsafe producer.produce(to: topic, key: key, value: value, headers: headers, opaque: opaque)
            }
        }
    }

    private func take(_ report: DeliveryReport, _ outcome: inout Outcome) {
        guard report.isAcknowledged else { return note(report.code, &outcome) }
        guard let index = Int(exactly: report.opaque), outcome.places.indices.contains(index) else { return }
        outcome.places[index] = Place(partition: report.partition, offset: report.offset)
    }

    private func note(_ code: Int32, _ outcome: inout Outcome) {
        if outcome.failure == nil { outcome.failure = KafkaError(code: code) }
    }
}
