import Glibc
public import Kafka
import Synchronization

extension RealCluster {
    /// The one cluster of a test process, started at the first use and stopped when the process ends.
    public static var shared: RealCluster {
        get throws { try sharedCluster.get() }
    }

    /// Settings of a client of this cluster.
    public func settings(_ clientID: String, _ properties: [(String, String)] = []) -> KafkaSettings {
        KafkaSettings(bootstrapServers: bootstrapServers, clientID: clientID, properties: properties)
    }

    /// Creates topics with one partition each unless said otherwise, under names that no other test has.
    ///
    /// - Parameters:
    ///   - names: What the names begin with.
    ///   - partitions: How many partitions each.
    ///   - settings: The topics' settings.
    /// - Returns: The names.
    /// - Throws: ``Failure`` when one cannot be created.
    public func createTopics(
        _ names: String...,
        partitions: Int = 1,
        settings: [(String, String)] = []
    ) throws -> [String] {
        let names = names.map { "\($0)-\(UInt32.random(in: 0...UInt32.max))" }
        let admin = try Admin(self.settings("create-topics"))
        let topics = names.map { TopicSpecification(name: $0, partitions: partitions, settings: settings) }
        for (name, outcome) in zip(names, try admin.create(topics, timeoutMillis: 30_000)) where outcome != .created {
            throw Failure(description: "\(name): \(outcome)")
        }
        try admin.waitUntilKnown(names, timeoutMillis: 30_000)
        return names
    }
}

private let sharedCluster: Result<RealCluster, any Error> = Result {
    let cluster = try RealCluster()
    atexit(stopSharedCluster)
    return cluster
}

private func stopSharedCluster() {
    // It was started, or this would not have been registered.
    try? sharedCluster.get().stop()
}
