internal import Kafka
internal import Operations

/// Looks at the brokers, at the topics and at the newest records.
struct KafkaChecks {
    private static let timeoutMillis = 5_000

    private let configuration: Configuration
    private var kafka: Configuration.Kafka { configuration.kafka }

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// Looks, and tells each finding when it is made.
    func run(_ tell: (Finding) -> Void) {
        let admin: Admin
        do {
            admin = try Admin(kafka.settings(forCommand: "doctor"))
        } catch {
            return tell(.wrong("kafka", "\(error.message): correct kafka.properties"))
        }
        let cluster: ClusterMetadata
        do {
            cluster = try admin.contact(timeoutMillis: Self.timeoutMillis)
        } catch {
            return tell(.wrong("kafka", "\(kafka.bootstrapServers) does not answer (\(error)): \(advice(error))"))
        }
        tell(.right("kafka", "\(kafka.bootstrapServers) answers"))
        for broker in cluster.brokers { tell(finding(of: broker)) }
        for finding in TopicChecks(configuration, admin, cluster).findings { tell(finding) }
        tell(ClockCheck(kafka, cluster).finding)
    }

    /// Each broker by itself: the first answer may come from one whose others cannot be reached.
    private func finding(of broker: ClusterMetadata.Broker) -> Finding {
        let name = "broker \(broker.id)"
        let address = "\(broker.host):\(broker.port)"
        var settings = kafka.settings(forCommand: "doctor")
        settings.set("bootstrap.servers", address)
        do {
            _ = try Admin(settings).contact(timeoutMillis: Self.timeoutMillis)
        } catch {
            return .wrong(
                name,
                "\(address) does not answer (\(error)): check that it runs, and its advertised.listeners"
            )
        }
        return .right(name, address)
    }

    private func advice(_ error: KafkaError) -> String {
        switch error.code {
        case KafkaError.authentication: "check sasl.mechanism, sasl.username and sasl.password in kafka.properties"
        case KafkaError.tls: "check security.protocol and ssl.ca.location in kafka.properties, and the port"
        case KafkaError.resolve: "check kafka.bootstrapServers and the DNS"
        default: "check kafka.bootstrapServers, that it runs, and security.protocol in kafka.properties"
        }
    }
}
