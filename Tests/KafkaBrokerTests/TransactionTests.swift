import Kafka
import KafkaTestSupport
import Testing

extension BrokerTests {
    @Suite struct TransactionTests {
        let cluster: RealCluster

        init() throws { cluster = try RealCluster.shared }

        private func id() -> String { "id-\(UInt32.random(in: 0...UInt32.max))" }

        @Test func `commits messages and offsets with their metadata together`() throws {
            let names = try cluster.createTopics("in", "out")
            let group = id()
            let source = try Producer(cluster.settings("source"), signal: nil)
            #expect(source.send("event", to: try source.topic(names[0])) == .queued)
            #expect(source.flush(timeoutMillis: 10_000))

            let consumer = try Consumer(cluster.settings("c"), group: group, signal: nil)
            let queues = try consumer.join([names[0]])
            _ = try consumer.read(queues, until: 1)
            let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: id())
            try producer.initTransactions(timeoutMillis: 30_000)
            let out = try producer.topic(names[1])
            try producer.begin()
            #expect(producer.send("push", to: out) == .queued)
            let offset = OffsetCommit(topicPartition: queues[0].topicPartition, offset: 1, metadata: "v1;AQE=;held")
            try producer.send(offsets: [offset], group: consumer.groupMetadata(), timeoutMillis: 20_000)
            try producer.commit(timeoutMillis: 20_000)
            #expect(try consumer.committed([queues[0].topicPartition], timeoutMillis: 10_000) == [offset])

            let reader = try Consumer(cluster.settings("r"), group: id(), signal: nil)
            let seen = try reader.assign([(TopicPartition(topic: names[1], partition: 0), Consumer.beginning)])
            let records = try reader.read(seen, until: 1, of: .endOfPartition)
            #expect(records.map(\.value) == ["push", nil])
        }

        @Test func `hides what was aborted`() throws {
            let name = try cluster.createTopics("out")[0]
            let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: id())
            try producer.initTransactions(timeoutMillis: 30_000)
            let topic = try producer.topic(name)
            try producer.begin()
            #expect(producer.send("never", to: topic) == .queued)
            try producer.abort(timeoutMillis: 20_000)
            try producer.begin()
            #expect(producer.send("once", to: topic) == .queued)
            try producer.commit(timeoutMillis: 20_000)
            let reader = try Consumer(cluster.settings("r"), group: id(), signal: nil)
            let queues = try reader.assign([(TopicPartition(topic: name, partition: 0), Consumer.beginning)])
            let records = try reader.read(queues, until: 1, of: .endOfPartition)
            #expect(records.compactMap(\.value) == ["once"])
        }

        @Test func `the end of the partition lies behind the markers, and committing it leaves no lag`() throws {
            let name = try cluster.createTopics("out")[0]
            let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: id())
            try producer.initTransactions(timeoutMillis: 30_000)
            try producer.begin()
            #expect(producer.send("one", to: try producer.topic(name)) == .queued)
            try producer.commit(timeoutMillis: 20_000)

            let consumer = try Consumer(cluster.settings("c"), group: id(), signal: nil)
            let queues = try consumer.join([name])
            var watermark = OffsetWatermark(committed: OffsetCommit.none, spanMax: 100)
            for record in try consumer.read(queues, until: 1, of: .endOfPartition) {
                if record.kind == .endOfPartition {
                    watermark.reachedEnd(at: record.offset)
                } else if case .track(let sequence) = watermark.received(record.offset) {
                    watermark.finished(sequence: sequence)
                }
            }
            let partition = queues[0].topicPartition
            let taken = watermark.takeCommit()
            let commit = try #require(taken)
            try consumer.commit([OffsetCommit(topicPartition: partition, offset: commit.offset)])
            #expect(try consumer.waitForCommit().error == nil)
            let high = try consumer.watermarks(partition, timeoutMillis: 10_000).high
            #expect(high == 2)
            #expect(try consumer.committed([partition], timeoutMillis: 10_000)[0].offset == high)
        }

        @Test func `a later producer with the same id fences the earlier one`() throws {
            let name = try cluster.createTopics("out")[0]
            let id = id()
            let old = try TransactionalProducer(cluster.settings("old"), transactionalID: id)
            try old.initTransactions(timeoutMillis: 30_000)
            let topic = try old.topic(name)
            try old.begin()
            #expect(old.send("zombie", to: topic) == .queued)
            let new = try TransactionalProducer(cluster.settings("new"), transactionalID: id)
            try new.initTransactions(timeoutMillis: 30_000)
            let error = #expect(throws: KafkaError.self) { try old.commit(timeoutMillis: 20_000) }
            #expect(error?.isFatal == true)
            #expect(error?.code == KafkaError.fenced)
            #expect(old.fatalError != nil)
            #expect(throws: KafkaError.self) { try old.begin() }
            try new.begin()
            #expect(new.send("heir", to: try new.topic(name)) == .queued)
            try new.commit(timeoutMillis: 20_000)
        }

        @Test func `offsets of a member that is gone make the transaction abort`() throws {
            let names = try cluster.createTopics("in", "out")
            let consumer = try Consumer(cluster.settings("c"), group: id(), signal: nil)
            let queues = try consumer.join([names[0]])
            let metadata = try consumer.groupMetadata()
            let partition = queues[0].topicPartition
            consumer.close(timeoutMillis: 5_000)
            let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: id())
            try producer.initTransactions(timeoutMillis: 30_000)
            try producer.begin()
            #expect(producer.send("push", to: try producer.topic(names[1])) == .queued)
            let error = #expect(throws: KafkaError.self) {
                try producer.send(
                    offsets: [OffsetCommit(topicPartition: partition, offset: 1)],
                    group: metadata,
                    timeoutMillis: 20_000
                )
            }
            #expect(error?.requiresAbort == true)
            #expect(error?.isFatal == false)
            try producer.abort(timeoutMillis: 20_000)
        }

        @Test func `commit without begin is refused`() throws {
            let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: id())
            try producer.initTransactions(timeoutMillis: 30_000)
            let error = #expect(throws: KafkaError.self) { try producer.commit(timeoutMillis: 1_000) }
            #expect(error?.code == KafkaError.state)
        }
    }
}
