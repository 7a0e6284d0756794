internal import Kafka
internal import Operations

/// What the librdkafka that this process runs with is known to do wrong, as far as operators can notice it.
struct KnownDefects {
    private struct Defect {
        /// The first version without it, as librdkafka counts, and as people do.
        let fixed: (number: Int32, text: String)
        let text: String
        var isOfKerberos = false
    }

    private static let defects = [
        Defect(
            fixed: (0x0202_00ff, "2.2"),
            text: "proxies and brokers that only resemble Kafka may not be understood (librdkafka #4278)"
        ),
        Defect(
            fixed: (0x020a_00ff, "2.10"),
            text: "groups use the range assignor, and all lanes pause at each rebalance (librdkafka #4059)"
        ),
        Defect(
            fixed: (0x020b_00ff, "2.11"),
            text: "Kerberos does not work with Kafka 4.0.0, with 4.0.1 it does (KAFKA-19444)",
            isOfKerberos: true
        ),
    ]

    private let kafka: Configuration.Kafka

    init(_ kafka: Configuration.Kafka) { self.kafka = kafka }

    /// The version with what it cannot do; geopush works around each, so none is wrong.
    var finding: Finding {
        let mechanism = kafka.properties["sasl.mechanism"] ?? kafka.properties["sasl.mechanisms"]
        let protocolName = kafka.properties["security.protocol"]?.lowercased() ?? ""
        // Without a mechanism it is Kerberos.
        let usesKerberos = protocolName.hasPrefix("sasl") && (mechanism ?? "GSSAPI").uppercased() == "GSSAPI"
        let found = Self.defects.filter {
            LibraryVersion.number < $0.fixed.number && (!$0.isOfKerberos || usesKerberos)
        }
        let notes = found.map { "; below \($0.fixed.text) \($0.text)" }
        return .right("librdkafka", LibraryVersion.text + notes.joined())
    }
}
