internal import Kafka
internal import Operations

/// Compares the topics with the table of topics, and their copies with the brokers.
struct TopicChecks {
    private static let timeoutMillis = 5_000
    /// More copies than these are a matter of taste.
    private static let copiesEnough = 3

    private let table: TopicTable
    private let admin: Admin
    private let cluster: ClusterMetadata

    init(_ configuration: Configuration, _ admin: Admin, _ cluster: ClusterMetadata) {
        table = TopicTable(
            prefix: configuration.kafka.topicPrefix,
            apps: configuration.apps,
            partitions: 1,
            replication: -1
        )
        self.admin = admin
        self.cluster = cluster
    }

    /// One for each topic, and what concerns several.
    var findings: [Finding] {
        let names = table.specifications.map(\.name)
        let descriptions: [TopicDescription?]
        var findings: [Finding] = []
        do {
            descriptions = try admin.describe(names, timeoutMillis: Self.timeoutMillis)
        } catch {
            descriptions = names.map { _ in nil }
            let isForbidden = error.name.utf8.firstRange(of: "AUTHORIZATION".utf8) != nil
            let advice = isForbidden ? "allow this user DescribeConfigs on them" : "check the brokers"
            findings.append(.wrong("topics", "their settings cannot be read (\(error)): \(advice)"))
        }
        for (topic, description) in zip(table.specifications, descriptions) {
            findings.append(finding(of: topic, description))
        }
        return findings + copartitioning
    }

    private func finding(of topic: TopicSpecification, _ description: TopicDescription?) -> Finding {
        let name = "topic \(topic.name)"
        guard let known = cluster.topics[topic.name], known.error == nil else {
            return .wrong(name, "missing: make it with geopush topics create")
        }
        guard known.hasLeaders else {
            return .wrong(name, "a partition has no leader: bring its broker back")
        }
        var faults = description.map { TopicTable.differences($0, from: topic, partitions: false) } ?? []
        if !faults.isEmpty { faults[faults.count - 1] += ": set it with kafka-configs.sh" }
        faults += copyFaults(known.replication, description)
        let partitions = known.partitions == 1 ? "1 partition" : "\(known.partitions) partitions"
        let copies = known.replication == 1 ? "1 copy" : "\(known.replication) copies"
        return faults.isEmpty ? .right(name, "\(partitions), \(copies)") : .wrong(name, faults.joined(separator: "; "))
    }

    private func copyFaults(_ copies: Int, _ description: TopicDescription?) -> [String] {
        let wanted = min(Self.copiesEnough, cluster.brokers.count)
        if copies < wanted {
            let found = copies == 1 ? "1 copy" : "\(copies) copies"
            return [
                "\(found) on \(cluster.brokers.count) brokers, expected \(wanted): add copies, or a broker's loss stops it"
            ]
        }
        let inSync = description?.settings["min.insync.replicas"]?.value.flatMap { Int($0) } ?? 1
        guard inSync > copies || (inSync == copies && copies > 1) else { return [] }
        return ["min.insync.replicas is \(inSync) of \(copies) copies: lower it, or a broker's loss stops writing"]
    }

    private var copartitioning: [Finding] {
        let counts = table.copartitioned.compactMap { name in cluster.topics[name].map { (name, $0.partitions) } }
        guard Set(counts.map(\.1)).count > 1 else { return [] }
        let list = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return [.wrong("partitions", "\(list): expected equally many, add to those that have fewer")]
    }
}
