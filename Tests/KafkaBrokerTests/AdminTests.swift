import Kafka
import KafkaTestSupport
import Testing

extension BrokerTests {
    @Suite struct AdminTests {
        let cluster: RealCluster
        let admin: Admin

        init() throws {
            cluster = try RealCluster.shared
            admin = try Admin(cluster.settings("admin"))
        }

        private func name() -> String { "admin-\(UInt32.random(in: 0...UInt32.max))" }

        @Test func `creates a topic with its settings`() throws {
            let name = name()
            let topic = TopicSpecification(
                name: name,
                partitions: 3,
                replication: 1,
                settings: [("cleanup.policy", "compact")]
            )
            #expect(try admin.create([topic], timeoutMillis: 20_000) == [.created])
            try admin.waitUntilKnown([name], timeoutMillis: 20_000)
            let found = try #require(try admin.describe([name], timeoutMillis: 20_000)[0])
            #expect(found.name == name)
            #expect(found.partitions == 3)
            #expect(found.replication == 1)
            #expect(found.settings["cleanup.policy"] == .init(value: "compact", isDefault: false))
            #expect(found.settings["retention.ms"]?.isDefault == true)
        }

        @Test func `leaves a topic that exists as it is`() throws {
            let name = name()
            _ = try admin.create([TopicSpecification(name: name, partitions: 1)], timeoutMillis: 20_000)
            let again = try admin.create([TopicSpecification(name: name, partitions: 5)], timeoutMillis: 20_000)
            #expect(again == [.existed])
            try admin.waitUntilKnown([name], timeoutMillis: 20_000)
            #expect(try admin.describe([name], timeoutMillis: 20_000)[0]?.partitions == 1)
        }

        @Test func `tells of each topic what became of it`() throws {
            let (good, bad, invalid) = (name(), name(), name())
            let outcomes = try admin.create(
                [
                    TopicSpecification(name: bad, partitions: 1, replication: 99),
                    TopicSpecification(name: good, partitions: 1),
                    TopicSpecification(name: invalid, partitions: 1, settings: [("no.such.setting", "1")]),
                ],
                timeoutMillis: 20_000
            )
            guard case .failed(let replication) = outcomes[0], case .failed(let setting) = outcomes[2] else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(replication.name == "INVALID_REPLICATION_FACTOR")
            #expect(outcomes[1] == .created)
            #expect(setting.name == "INVALID_CONFIG")
            #expect(setting.message.contains("no.such.setting"))
        }

        @Test(arguments: [0, -2])
        func `creates no topic without partitions`(partitions: Int) throws {
            let topic = TopicSpecification(name: name(), partitions: partitions)
            let outcome = Result { try admin.create([topic], timeoutMillis: 20_000) }
            // librdkafka refuses what is out of range, the broker the rest.
            #expect(throws: KafkaError.self) {
                if case .failed(let error) = try outcome.get()[0] { throw error }
            }
        }

        @Test func `has nothing to say of a topic that is not there`() throws {
            #expect(try admin.describe([name()], timeoutMillis: 20_000) == [nil])
            #expect(try admin.describe([], timeoutMillis: 20_000) == [])
        }

        @Test func `does not wait longer than allowed for a topic`() throws {
            let name = name()
            let error = #expect(throws: KafkaError.self) { try admin.waitUntilKnown([name], timeoutMillis: 200) }
            #expect(error?.code == KafkaError.timedOut)
            #expect(error?.message.contains(name) == true)
        }

        @Test func `says that no broker can be reached`() throws {
            let admin = try Admin(KafkaSettings(bootstrapServers: "127.0.0.1:1", clientID: "nobody"))
            #expect(throws: KafkaError.self) { try admin.metadata(timeoutMillis: 300) }
            #expect(throws: KafkaError.self) {
                try admin.create([TopicSpecification(name: name(), partitions: 1)], timeoutMillis: 300)
            }
        }

        @Test func `a producer refuses a topic that is not there`() throws {
            let producer = try Producer(cluster.settings("p"), signal: nil)
            let error = #expect(throws: KafkaError.self) { try producer.topic(name(), timeoutMillis: 10_000) }
            #expect(error?.code == KafkaError.unknownTopicOrPartition)
        }
    }
}
