import BlockingTestSupport
import EventLoop
import Kafka
import KafkaTestSupport
import Testing

/// librdkafka's destroy waits without end for whatever is forgotten, so that these tests would not end.
@Suite(.blocks, .timeLimit(.minutes(15))) struct ConsumerCloseTests {
    let cluster: MockCluster
    let partition = TopicPartition(topic: "t", partition: 0)

    init() throws {
        cluster = try MockCluster()
        try cluster.fill("t", count: 10)
    }

    @Test func `closes before it has done anything`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        consumer.close(timeoutMillis: 5_000)
        #expect(consumer.isClosed)
        consumer.close(timeoutMillis: 5_000)
    }

    @Test func `closes before the first assignment`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        try consumer.subscribe(["t"])
        consumer.close(timeoutMillis: 5_000)
        #expect(consumer.isClosed)
    }

    @Test func `closes while an assignment waits for its answer`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        try consumer.subscribe(["t"])
        _ = try consumer.waitForAssignment()
        consumer.close(timeoutMillis: 5_000)
        #expect(consumer.isClosed)
    }

    @Test func `closes in its time while no broker can be reached`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        _ = try consumer.assign([(partition, 0)])
        try consumer.commit([OffsetCommit(topicPartition: partition, offset: 1)])
        try cluster.stopBroker(-1)
        try consumer.commit([OffsetCommit(topicPartition: partition, offset: 2)])
        consumer.close(timeoutMillis: 200)
        #expect(consumer.isClosed)
    }

    @Test func `ends without being closed`() throws {
        for _ in 0..<3 {
            let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
            let queues = try consumer.assign([(partition, 0)])
            _ = try consumer.read(queues, until: 1)
        }
    }

    @Test func `leaves nothing behind after everything was used`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: EventSignal())
        _ = try consumer.committed([partition], timeoutMillis: 5_000)
        _ = try consumer.watermarks(partition, timeoutMillis: 5_000)
        _ = try consumer.partitionCount(of: "t", timeoutMillis: 5_000)
        _ = try consumer.groupMetadata()
        let queues = try consumer.assign([(partition, 0)])
        _ = try consumer.read(queues, until: 10)
        try consumer.seek([(partition, 2)], timeoutMillis: 5_000)
        _ = try consumer.assign([(partition, 5)])
        #expect(queues[0].isClosed, "an assignment replaces the one before")
        _ = try consumer.assignShared([(partition, 0)])
        consumer.close(timeoutMillis: 5_000)
    }

    @Test func `the same partition can be assigned again and again`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        _ = try consumer.read(consumer.assign([(partition, 0)]), until: 1)
        // librdkafka 2.0 aborts the process where a stop is still under way.
        for offset: Int64 in 0..<200 { _ = try consumer.assign([(partition, offset % 10)]) }
        #expect(try consumer.read(consumer.assign([(partition, 4)]), until: 6).first?.offset == 4)
    }

    @Test func `takes no assignment while it closes`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        consumer.startClosing()
        #expect(throws: KafkaError.self) { try consumer.accept([(partition, 0)]) }
        #expect(throws: KafkaError.self) { try consumer.assign([(partition, 0)]) }
        #expect(throws: KafkaError.self) { try consumer.acceptRevocation() }
    }

    @Test func `answers no revocation that was not asked for`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        let queues = try consumer.assign([(partition, 0)])
        let error = #expect(throws: KafkaError.self) { try consumer.acceptRevocation() }
        #expect(error?.code == KafkaError.state)
        #expect(try consumer.read(queues, until: 10).count >= 10)
    }

    @Test func `refuses everything once closed`() throws {
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        consumer.close(timeoutMillis: 5_000)
        #expect(consumer.pollEvent() == nil)
        #expect(consumer.fatalError == nil)
        #expect(throws: KafkaError.self) { try consumer.subscribe(["t"]) }
        #expect(throws: KafkaError.self) { try consumer.accept([]) }
        #expect(throws: KafkaError.self) { try consumer.acceptRevocation() }
        #expect(throws: KafkaError.self) { try consumer.groupMetadata() }
        #expect(throws: KafkaError.self) { try consumer.commit([OffsetCommit(topicPartition: partition, offset: 1)]) }
        #expect(throws: KafkaError.self) { try consumer.committed([partition], timeoutMillis: 100) }
    }
}
