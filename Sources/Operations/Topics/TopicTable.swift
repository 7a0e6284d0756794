public import Kafka

/// The topics of geopush with their settings.
public struct TopicTable: Sendable {
    private static let dayMillis: Int64 = 86_400_000
    private static let mebibyte: Int64 = 1_048_576

    /// Topics that must have equally many partitions, since one is read beside the other.
    public let copartitioned: [String]
    /// All topics, without partition counts of their own.
    public let specifications: [TopicSpecification]

    /// Makes the table for a prefix.
    ///
    /// - Parameters:
    ///   - prefix: What every name begins with.
    ///   - apps: Apps that may have a pushes topic of their own.
    ///   - partitions: How many partitions each topic gets.
    ///   - replication: How many copies of each; -1 leaves it to the brokers.
    public init(prefix: String, apps: [Configuration.App], partitions: Int, replication: Int) {
        var topics: [(name: String, settings: [(String, String)])] = [
            // A late Intake must still see each audience.
            (prefix + "location-events", Self.compacted(lagDays: 7) + Self.size(4)),
            (prefix + "campaign-events", Self.kept(days: 30) + Self.size(4)),
            (prefix + "device-events", Self.compacted()),
            (prefix + "unregistered", Self.compacted()),
            (prefix + "fanout", Self.kept(days: 7)),
            (prefix + "jobs", Self.kept(days: 30)),
            // Holds campaigns as they came, and so needs their size.
            (prefix + "scheduled", Self.compacted() + Self.size(4)),
            (prefix + "pushes", Self.kept(days: 7)),
            (prefix + "receipts", Self.kept(days: 30)),
            (prefix + "dead-letters", Self.kept(days: 30) + Self.size(8)),
        ]
        for name in apps.compactMap(\.pushesTopic) where !topics.contains(where: { $0.name == name }) {
            topics.append((name, Self.kept(days: 7)))
        }
        specifications = topics.map {
            TopicSpecification(name: $0.name, partitions: partitions, replication: replication, settings: $0.settings)
        }
        copartitioned = ["device-events", "unregistered", "fanout"].map { prefix + $0 }
    }

    private static func compacted(lagDays: Int64 = 0) -> [(String, String)] {
        let lag = lagDays > 0 ? [("min.compaction.lag.ms", String(lagDays * dayMillis))] : []
        return [("cleanup.policy", "compact")] + lag
    }

    private static func kept(days: Int64) -> [(String, String)] {
        [("cleanup.policy", "delete"), ("retention.ms", String(days * dayMillis))]
    }

    private static func size(_ mebibytes: Int64) -> [(String, String)] {
        [("max.message.bytes", String(mebibytes * mebibyte))]
    }

    /// What is otherwise in a topic than the table says.
    ///
    /// - Parameters:
    ///   - found: The topic as it is.
    ///   - wanted: The topic as it should be.
    ///   - partitions: Whether the number of partitions counts.
    /// - Returns: One clause each, such as `retention.ms is 1, expected 2`.
    public static func differences(
        _ found: TopicDescription,
        from wanted: TopicSpecification,
        partitions: Bool
    ) -> [String] {
        var differences: [String] = []
        if partitions, found.partitions != wanted.partitions {
            differences.append("partitions is \(found.partitions), expected \(wanted.partitions)")
        }
        if wanted.replication > 0, found.replication != wanted.replication {
            differences.append("replication is \(found.replication), expected \(wanted.replication)")
        }
        for (name, value) in wanted.settings {
            let actual = found.settings[name]?.value
            if actual != value { differences.append("\(name) is \(actual ?? "unknown"), expected \(value)") }
        }
        return differences
    }
}
