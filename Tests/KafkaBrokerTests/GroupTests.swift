import EventLoop
import Kafka
import KafkaTestSupport
import Testing

extension BrokerTests {
    /// What the mock cluster does otherwise: it refuses commits of a member whose group rebalances.
    @Suite struct GroupTests {
        let cluster: RealCluster

        init() throws { cluster = try RealCluster.shared }

        private func fill(_ topic: String, partitions: Int32, count: Int) throws {
            let producer = try Producer(cluster.settings("fill"), signal: nil)
            let topic = try producer.topic(topic)
            for index in 0..<count {
                let result = producer.send("\(index)", to: topic, partition: Int32(index) % partitions)
                #expect(result == .queued)
            }
            #expect(producer.flush(timeoutMillis: 20_000))
        }

        @Test func `what is committed at the revocation is where the next owner goes on`() throws {
            let name = try cluster.createTopics("t", partitions: 2)[0]
            try fill(name, partitions: 2, count: 20)
            let first = try Consumer(cluster.settings("0-a"), group: name, signal: nil)
            let queues = try first.join([name])
            _ = try first.read(queues, until: 20)
            let second = try Consumer(cluster.settings("1-b"), group: name, signal: nil)
            try second.subscribe([name])
            let (revoked, lost) = try first.waitForRevocation()
            #expect(revoked.count == 2 && !lost)
            // Offsets 0 to 3 and 5 are finished.
            let commits = revoked.map { partition in
                var watermark = OffsetWatermark(committed: 0, spanMax: 100)
                for offset in 0..<10 as Range<Int64> {
                    guard case .track(let sequence) = watermark.received(offset) else { continue }
                    if offset < 4 || offset == 5 { watermark.finished(sequence: sequence) }
                }
                let commit = watermark.takeCommit()
                return OffsetCommit(
                    topicPartition: partition,
                    offset: commit?.offset ?? -1,
                    metadata: commit?.metadata ?? ""
                )
            }
            try first.commit(commits)
            let answer = try first.waitForCommit()
            #expect(answer.error == nil)
            #expect(Set(answer.acknowledged) == Set(commits))
            try first.acceptRevocation()
            let rest = try first.waitForAssignment()
            _ = try first.accept(rest.map { ($0, OffsetCommit.none) })

            let moved = try second.waitForAssignment()
            #expect(moved.count == 1)
            let committed = try second.committed(moved, timeoutMillis: 10_000)
            #expect(committed[0].offset == 4)
            var watermark = OffsetWatermark(
                committed: committed[0].offset,
                metadata: committed[0].metadata,
                spanMax: 100
            )
            let records = try second.read(second.accept([(moved[0], committed[0].offset)]), until: 6)
            let again = records.filter { $0.kind == .data && watermark.received($0.offset) != .alreadyFinished }
            #expect(again.map(\.offset) == [4, 6, 7, 8, 9])
        }

        @Test func `a member that ends without an answer is replaced`() throws {
            let name = try cluster.createTopics("t")[0]
            try fill(name, partitions: 1, count: 3)
            let properties = [("session.timeout.ms", "1500"), ("heartbeat.interval.ms", "300")]
            let first = try Consumer(cluster.settings("0-a", properties), group: name, signal: nil)
            _ = try first.join([name])
            let second = try Consumer(cluster.settings("1-b", properties), group: name, signal: nil)
            try second.subscribe([name])
            // The first answers nothing and has no time to take leave.
            _ = try first.waitForRevocation()
            first.close(timeoutMillis: 0)
            let queues = try second.accept(second.waitForAssignment().map { ($0, 0) })
            #expect(try second.read(queues, until: 3).count >= 3)
        }

        @Test func `an idle consumer raises its signal when a record comes`() throws {
            let name = try cluster.createTopics("t")[0]
            let signal = try EventSignal()
            var poller = try Poller()
            try poller.add(signal.fileDescriptor, .read, tag: 1)
            let consumer = try Consumer(cluster.settings("c"), group: name, signal: signal)
            let queue = try consumer.assign([(TopicPartition(topic: name, partition: 0), 0)])[0]
            var batch = RecordBatch(capacity: 8)
            _ = try consumer.read([queue], until: 1, of: .endOfPartition)
            try fill(name, partitions: 1, count: 1)
            var found = 0
            let deadline = Clock.monotonicMillis() + 20_000
            while found == 0, Clock.monotonicMillis() < deadline {
                guard poller.wait(timeoutMillis: 10_000) > 0 else { break }
                signal.lower()
                while consumer.pollEvent() != nil {}
                while queue.take(into: &batch, max: 8) > 0 {
                    while let record = batch.next() { if record.isData { found += 1 } }
                }
            }
            #expect(found == 1)
        }
    }
}
