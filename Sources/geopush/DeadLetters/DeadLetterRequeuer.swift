internal import Kafka
internal import Operations

/// Writes dead letters to the topics that they came from, and says what became of each.
final class DeadLetterRequeuer {
    /// How long a first answer of any broker may take.
    private static let contactMillis = 10_000
    /// How long all acknowledgements may take.
    private static let timeoutMillis = 60_000
    /// How long a full queue is drained before the next try.
    private static let pauseMillis = 100

    /// How many were to be sent.
    private(set) var total = 0
    /// How many of those were not, as far as known.
    var unsent: Int { total - sent }

    private let isJSON: Bool
    private let producer: Producer
    /// Topics that are known, or why not.
    private var topics: [String: Result<ProducerTopic, KafkaError>] = [:]
    /// What no broker has acknowledged.
    private var waiting: [UInt64: (place: RecordPlace, topic: String)] = [:]
    /// How many the brokers have acknowledged.
    private(set) var sent = 0
    private var reports = DeliveryReports(capacity: 256)

    /// Makes a producer.
    ///
    /// - Parameters:
    ///   - kafka: Where the cluster is.
    ///   - isJSON: Say what became of each in JSON.
    /// - Throws: The property that librdkafka refuses.
    init(_ kafka: Configuration.Kafka, isJSON: Bool) throws(CommandFailure) {
        self.isJSON = isJSON
        do throws(KafkaError) {
            producer = try Producer(kafka.settings(forCommand: "requeue"), signal: nil)
        } catch {
            throw .configuration("\(error.message): correct kafka.properties")
        }
    }

    /// Sends one back, or says why not.
    func send(_ letter: DeadLetter) {
        total += 1
        if let refusal = letter.refusal { return refuse(letter.place, refusal) }
        let name = letter.topic ?? ""
        let topic: ProducerTopic
        do {
            topic = try self.topic(name).get()
        } catch {
            let isMissing = [KafkaError.unknownTopic, KafkaError.unknownTopicOrPartition].contains(error.code)
            return refuse(letter.place, isMissing ? "the topic \(name) does not exist" : "\(name): \(error)")
        }
        let number = UInt64(total)
        waiting[number] = (letter.place, name)
        var result = produce(letter, to: topic, opaque: number)
        while result == .queueFull {
            takeReports(timeoutMillis: Self.pauseMillis)
            result = produce(letter, to: topic, opaque: number)
        }
        if case .failed(let code) = result {
            waiting[number] = nil
            refuse(letter.place, "\(KafkaError(code: code))")
        }
        takeReports(timeoutMillis: 0)
    }

    private func takeReports(timeoutMillis: Int) {
        producer.pollReports(&reports, timeoutMillis: timeoutMillis)
        for index in 0..<reports.count { take(reports[index]) }
    }

    /// Waits for the brokers.
    func finish() {
        _ = producer.flush(timeoutMillis: Self.timeoutMillis) { take($0) }
        for entry in waiting.sorted(by: { $0.key < $1.key }) {
            refuse(entry.value.place, "no broker has acknowledged it; it may be in \(entry.value.topic) all the same")
        }
    }

    private func topic(_ name: String) -> Result<ProducerTopic, KafkaError> {
        if let known = topics[name] { return known }
        let found: Result<ProducerTopic, KafkaError>
        do {
            found = .success(try producer.topic(name, timeoutMillis: Self.contactMillis))
        } catch {
            found = .failure(error)
        }
        topics[name] = found
        return found
    }

    private func produce(_ letter: DeadLetter, to topic: ProducerTopic, opaque: UInt64) -> ProduceResult {
        let headers = letter.headers.map { ($0.name, $0.value) }
        return unsafe withBytes(letter.key) { key in
            unsafe withBytes(letter.value) { value in
                unsafe producer.produce(to: topic, key: key, value: value, headers: headers, opaque: opaque)
            }
        }
    }

    private func take(_ report: DeliveryReport) {
        guard let (place, topic) = waiting.removeValue(forKey: report.opaque) else { return }
        guard report.isAcknowledged else { return refuse(place, "\(KafkaError(code: report.code))") }
        sent += 1
        let target = RecordPlace(partition: report.partition, offset: report.offset)
        say(
            place,
            text: "sent     \(place) to \(topic) \(target)",
            json: "\"topic\":\(JSONText.quoted(topic)),\"partition\":\(target.partition),\"offset\":\(target.offset)"
        )
    }

    private func refuse(_ place: RecordPlace, _ reason: String) {
        say(place, text: "refused  \(place): \(reason)", json: "\"refused\":\(JSONText.quoted(reason))")
    }

    private func say(_ place: RecordPlace, text: String, json: String) {
        let letter = "\"deadLetter\":{\"partition\":\(place.partition),\"offset\":\(place.offset)}"
        StandardStream.output.write(isJSON ? "{\(letter),\(json)}\n" : VisibleText.line(text) + "\n")
    }
}

/// Lends bytes; nil stays nil.
private func withBytes<Value>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
    guard let bytes else { return body(nil) }
    return unsafe bytes.withUnsafeBytes { unsafe body($0) }
}
