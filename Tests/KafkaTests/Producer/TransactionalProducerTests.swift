import BlockingTestSupport
import Kafka
import KafkaTestSupport
import Testing

/// The mock hides and fences nothing; what it shows is how errors are told apart.
@Suite(.blocks, .timeLimit(.minutes(15))) struct TransactionalProducerTests {
    let cluster: MockCluster
    let offset = OffsetCommit(topicPartition: TopicPartition(topic: "in", partition: 0), offset: 1)

    init() throws {
        cluster = try MockCluster()
        try cluster.createTopic("in", partitions: 1)
        try cluster.createTopic("out", partitions: 1)
    }

    private func producer() throws -> (TransactionalProducer, ProducerTopic) {
        let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: "id")
        try producer.initTransactions(timeoutMillis: 20_000)
        return (producer, try producer.topic("out"))
    }

    @Test func `commits and begins again`() throws {
        let (producer, topic) = try producer()
        for _ in 0..<3 {
            try producer.begin()
            #expect(producer.send("x", to: topic) == .queued)
            try producer.send(offsets: [offset], group: ConsumerGroupMetadata(group: "g"), timeoutMillis: 10_000)
            try producer.commit(timeoutMillis: 10_000)
        }
        #expect(producer.fatalError == nil)
    }

    @Test func `is fatal once another producer has its id`() throws {
        let (producer, topic) = try producer()
        try producer.begin()
        #expect(producer.send("x", to: topic) == .queued)
        // 90 is PRODUCER_FENCED.
        cluster.pushErrors(.endTransaction, [90])
        let error = #expect(throws: KafkaError.self) { try producer.commit(timeoutMillis: 10_000) }
        #expect(error?.isFatal == true)
        #expect(producer.fatalError != nil)
    }

    @Test func `has to abort when the group has moved on, and commits the next`() throws {
        let (producer, topic) = try producer()
        try producer.begin()
        #expect(producer.send("x", to: topic) == .queued)
        // 25 is UNKNOWN_MEMBER_ID.
        cluster.pushErrors(.transactionOffsetCommit, [25])
        let error = #expect(throws: KafkaError.self) {
            try producer.send(offsets: [offset], group: ConsumerGroupMetadata(group: "g"), timeoutMillis: 10_000)
        }
        #expect(error?.requiresAbort == true && error?.isFatal == false)
        #expect(throws: KafkaError.self) { try producer.commit(timeoutMillis: 10_000) }
        try producer.abort(timeoutMillis: 10_000)
        try producer.begin()
        #expect(producer.send("x", to: topic) == .queued)
        try producer.commit(timeoutMillis: 10_000)
    }

    @Test func `a call that timed out goes on when it is repeated`() throws {
        let (producer, topic) = try producer()
        try producer.begin()
        #expect(producer.send("x", to: topic) == .queued)
        try cluster.stopBroker(-1)
        let error = #expect(throws: KafkaError.self) { try producer.commit(timeoutMillis: 300) }
        #expect(error?.isRetriable == true && error?.requiresAbort == false)
        try cluster.startBroker(-1)
        try producer.commit(timeoutMillis: 20_000)
    }

    @Test func `begins only after the start`() throws {
        let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: "id")
        let error = #expect(throws: KafkaError.self) { try producer.begin() }
        #expect(error?.code == KafkaError.state)
    }

    @Test func `ends inside a transaction`() throws {
        let (producer, topic) = try producer()
        try producer.begin()
        for _ in 0..<100 { #expect(producer.send("x", to: topic) == .queued) }
    }

    @Test func `waits no longer than allowed for its coordinator`() throws {
        try cluster.stopBroker(-1)
        let producer = try TransactionalProducer(cluster.settings("p"), transactionalID: "id")
        let error = #expect(throws: KafkaError.self) { try producer.initTransactions(timeoutMillis: 300) }
        #expect(error?.isRetriable == true)
        try cluster.startBroker(-1)
        try producer.initTransactions(timeoutMillis: 20_000)
    }
}
