internal import Kafka

/// Asks Kafka once whether the topics that a worker needs are there.
struct TopicCheck {
    /// What Kafka answered.
    enum Answer {
        case present
        case missing(String)
        case unreachable(String)
    }

    private let settings: WorkerSettings
    private let timeoutMillis: Int

    /// Prepares a question.
    ///
    /// - Parameters:
    ///   - settings: Where Kafka is, and the topics.
    ///   - timeoutMillis: How long an answer may take.
    init(_ settings: WorkerSettings, timeoutMillis: Int = 5_000) {
        self.settings = settings
        self.timeoutMillis = timeoutMillis
    }

    /// The topics that the worker's stages read or write.
    var topics: [String] {
        let names = settings.topics
        var topics: Set<String> = []
        if settings.stages.contains(.intake) {
            topics.formUnion([
                names.locationEvents, names.campaignEvents, names.pushes, names.receipts, names.deadLetters,
            ])
        }
        if settings.stages.contains(.delivery) {
            topics.formUnion([names.pushes, names.receipts, names.unregistered])
        }
        // Intake writes to them, and Delivery reads them.
        topics.formUnion(settings.delivery.apps.compactMap(\.pushesTopic))
        return topics.sorted()
    }

    /// Asks; blocks for a few seconds at most.
    func run() -> Answer {
        let kafka = settings.kafka
        do throws(KafkaError) {
            let admin = try Admin(kafka.clientSettings(clientID: "geopush-start-\(kafka.instance)"))
            let known = try admin.metadata(timeoutMillis: timeoutMillis).topics
            for topic in topics where known[topic] == nil { return .missing(topic) }
            return .present
        } catch {
            return .unreachable(error.name)
        }
    }
}
