import EventLoop
import Kafka
import Testing

@Suite struct ConsumerGroupTests {
    @Test(.timeLimit(.minutes(1)))
    func `a lone member gets every partition and every record`() throws {
        let cluster = try MockCluster()
        try cluster.createTopic("t", partitions: 2)
        let producer = try Producer(
            KafkaSettings(bootstrapServers: cluster.bootstrapServers, clientID: "p"),
            signal: nil
        )
        let topic = try producer.topic("t")
        for index in 0..<10 {
            let value = Array("value \(index)".utf8)
            let result = value.withUnsafeBytes {
                producer.produce(to: topic, partition: Int32(index % 2), key: nil, value: $0, opaque: UInt64(index))
            }
            #expect(result == .queued)
        }
        #expect(producer.flush(timeoutMillis: 5_000))
        let consumer = try Consumer(
            KafkaSettings(bootstrapServers: cluster.bootstrapServers, clientID: "c"),
            group: "g",
            signal: nil
        )
        try consumer.subscribe(["t"])
        guard case .assigned(let partitions)? = consumer.pollEvent(timeoutMillis: 10_000) else {
            Issue.record("no assignment")
            return
        }
        #expect(partitions.count == 2)
        let queues = try consumer.accept(partitions.map { ($0, OffsetCommit.none) })
        var batch = RecordBatch(capacity: 16)
        var found = 0
        let deadline = Clock.monotonicMillis() + 10_000
        while found < 10, Clock.monotonicMillis() < deadline {
            _ = consumer.pollEvent(timeoutMillis: 10)
            for queue in queues where queue.take(into: &batch, max: 16) > 0 {
                while let record = batch.next() { if record.isData { found += 1 } }
            }
        }
        #expect(found == 10)
        consumer.close(timeoutMillis: 2_000)
    }
}
