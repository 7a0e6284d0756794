import Events
import Kafka
import Pipeline
import Testing

@testable import Operations

@Suite struct TopicTableTests {
    private let table = TopicTable(prefix: "p.", apps: [], partitions: 6, replication: 3)

    private func specification(_ name: String) throws -> TopicSpecification {
        try #require(table.specifications.first { $0.name == name })
    }

    private func settings(_ name: String) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try specification(name).settings)
    }

    @Test func `names every topic once`() {
        #expect(
            table.specifications.map(\.name) == [
                "p.location-events", "p.campaign-events", "p.device-events", "p.unregistered", "p.fanout", "p.jobs",
                "p.scheduled", "p.pushes", "p.receipts", "p.dead-letters",
            ]
        )
        #expect(table.specifications.allSatisfy { $0.partitions == 6 && $0.replication == 3 })
    }

    @Test func `has the topics that the stages use`() {
        let names = Set(table.specifications.map(\.name))
        let used = TopicNames(prefix: "p.")
        for name in [
            used.locationEvents, used.campaignEvents, used.pushes, used.receipts, used.unregistered, used.deadLetters,
        ] {
            #expect(names.contains(name))
        }
    }

    @Test func `takes every event that passes the checks of publish`() throws {
        for name in ["p.location-events", "p.campaign-events"] {
            #expect(try settings(name)["max.message.bytes"] == String(PublishPlan.recordBytesMax))
        }
    }

    @Test func `keeps locations for seven days before it compacts them`() throws {
        #expect(
            try settings("p.location-events") == [
                "cleanup.policy": "compact", "min.compaction.lag.ms": "604800000", "max.message.bytes": "4194304",
            ]
        )
    }

    @Test func `keeps pushes for 7 days and receipts for 30`() throws {
        #expect(try settings("p.pushes") == ["cleanup.policy": "delete", "retention.ms": "604800000"])
        #expect(try settings("p.receipts") == ["cleanup.policy": "delete", "retention.ms": "2592000000"])
        #expect(try settings("p.dead-letters")["max.message.bytes"] == "8388608")
    }

    @Test func `adds an app's own topic of pushes once`() {
        let app = Configuration.App(id: "a", topic: "t", teamID: "T", keyID: "K", keyFile: "k", pushesTopic: "own")
        let twin = Configuration.App(id: "b", topic: "u", teamID: "T", keyID: "K", keyFile: "k", pushesTopic: "own")
        let none = Configuration.App(id: "c", topic: "v", teamID: "T", keyID: "K", keyFile: "k", pushesTopic: nil)
        let table = TopicTable(prefix: "p.", apps: [app, twin, none], partitions: 1, replication: -1)
        #expect(table.specifications.map(\.name).filter { $0 == "own" } == ["own"])
        #expect(table.specifications.count == 11)
    }

    @Test func `says what differs`() throws {
        let wanted = try specification("p.pushes")
        let found = TopicDescription(
            name: "p.pushes",
            partitions: 4,
            replication: 1,
            settings: [
                "cleanup.policy": .init(value: "delete", isDefault: true),
                "retention.ms": .init(value: "1", isDefault: false),
            ]
        )
        #expect(
            TopicTable.differences(found, from: wanted, partitions: true) == [
                "partitions is 4, expected 6", "replication is 1, expected 3", "retention.ms is 1, expected 604800000",
            ]
        )
        #expect(TopicTable.differences(found, from: wanted, partitions: false).count == 2)
    }
}
