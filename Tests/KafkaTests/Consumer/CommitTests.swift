import BlockingTestSupport
import EventLoop
import Kafka
import KafkaTestSupport
import Testing

@Suite(.blocks, .timeLimit(.minutes(15))) struct CommitTests {
    let cluster: MockCluster
    let partition = TopicPartition(topic: "t", partition: 0)

    init() throws {
        cluster = try MockCluster(brokers: 2)
        try cluster.fill("t", partitions: 2, count: 20)
        try cluster.setCoordinator(ofGroup: "g", broker: 2)
    }

    private func consumer() throws -> Consumer { try Consumer(cluster.settings("c"), group: "g", signal: nil) }

    @Test func `an acknowledged commit reads back with its metadata`() throws {
        let consumer = try consumer()
        let commit = OffsetCommit(topicPartition: partition, offset: 7, metadata: "v1;AQE=")
        try consumer.commit([commit])
        let answer = try consumer.waitForCommit()
        #expect(answer.acknowledged == [commit])
        #expect(answer.refused.isEmpty && answer.error == nil)
        #expect(try consumer.committed([partition], timeoutMillis: 5_000) == [commit])
    }

    @Test func `nothing committed reads back as none`() throws {
        let other = TopicPartition(topic: "t", partition: 1)
        let commits = try consumer().committed([other, partition], timeoutMillis: 5_000)
        #expect(commits.map(\.topicPartition) == [other, partition])
        #expect(commits.allSatisfy { $0.offset == OffsetCommit.none && $0.metadata.isEmpty })
    }

    @Test func `asking for no partitions asks nobody`() throws {
        try cluster.stopBroker(-1)
        #expect(try consumer().committed([], timeoutMillis: 0) == [])
    }

    @Test func `each commit has one answer, in order`() throws {
        let consumer = try consumer()
        for offset: Int64 in 1...5 { try consumer.commit([OffsetCommit(topicPartition: partition, offset: offset)]) }
        for offset: Int64 in 1...5 { #expect(try consumer.waitForCommit().acknowledged.map(\.offset) == [offset]) }
        #expect(consumer.pollEvent(timeoutMillis: 50) == nil)
    }

    @Test func `a refused commit says why and may be repeated`() throws {
        let consumer = try consumer()
        // 12 is OFFSET_METADATA_TOO_LARGE.
        cluster.pushErrors(.offsetCommit, [12])
        let commit = OffsetCommit(topicPartition: partition, offset: 3)
        try consumer.commit([commit])
        let answer = try consumer.waitForCommit()
        #expect(answer.acknowledged.isEmpty)
        #expect(answer.refused == [commit])
        #expect(answer.error?.code == 12)
        try consumer.commit([commit])
        #expect(try consumer.waitForCommit().acknowledged == [commit])
    }

    @Test func `a commit of nothing is refused at once`() throws {
        let consumer = try consumer()
        #expect(throws: KafkaError.self) { try consumer.commit([]) }
    }

    @Test func `a commit while the coordinator is down waits for nobody and is answered later`() throws {
        let consumer = try consumer()
        try cluster.setLeader(of: partition, broker: 1)
        let queues = try consumer.assign([(partition, 0)])
        #expect(try consumer.read(queues, until: 1, of: .endOfPartition).count == 11)
        try consumer.commit([OffsetCommit(topicPartition: partition, offset: 1)])
        #expect(try consumer.waitForCommit().error == nil)
        try cluster.stopBroker(2)
        try consumer.commit([OffsetCommit(topicPartition: partition, offset: 2)])
        // It has returned, and records of the other broker still come.
        let producer = try Producer(cluster.settings("p"), signal: nil)
        #expect(producer.send("more", to: try producer.topic("t"), partition: 0) == .queued)
        #expect(try consumer.read(queues, until: 1).contains { $0.value == "more" })
        try cluster.startBroker(2)
        let answer = try consumer.waitForCommit()
        #expect(answer.acknowledged.map(\.offset) == [2] || answer.error?.isRetriable == true, "\(answer)")
    }

    @Test func `no answer is an error and never none`() throws {
        let consumer = try consumer()
        try cluster.stopBroker(-1)
        let error = #expect(throws: KafkaError.self) { try consumer.committed([partition], timeoutMillis: 300) }
        #expect(error?.isRetriable == true)
    }

    @Test func `an error of one partition is an error`() throws {
        let consumer = try consumer()
        // 29 is TOPIC_AUTHORIZATION_FAILED.
        cluster.pushErrors(.offsetFetch, [29, 29, 29])
        #expect(throws: KafkaError.self) { try consumer.committed([partition], timeoutMillis: 2_000) }
    }
}
