import BlockingTestSupport
import EventLoop
import Kafka
import KafkaTestSupport
import Testing

@Suite(.blocks, .timeLimit(.minutes(15))) struct ProducerTests {
    let cluster: MockCluster

    init() throws {
        cluster = try MockCluster()
        try cluster.createTopic("t", partitions: 2)
    }

    private func producer(_ properties: [(String, String)] = [], _ signal: EventSignal? = nil) throws -> Producer {
        try Producer(cluster.settings("p", [("linger.ms", "1")] + properties), signal: signal)
    }

    private func reports(of producer: Producer, _ count: Int, capacity: Int = 64) throws -> [DeliveryReport] {
        var buffer = DeliveryReports(capacity: capacity)
        var found: [DeliveryReport] = []
        let deadline = Clock.monotonicMillis() + 20_000
        while found.count < count {
            guard Clock.monotonicMillis() < deadline else { throw MissingEvent(description: "\(count) reports") }
            let taken = producer.pollReports(&buffer, timeoutMillis: 20)
            #expect(taken == buffer.count && taken <= capacity)
            for index in 0..<taken { found.append(buffer[index]) }
        }
        return found
    }

    @Test(arguments: [1, 3, 64])
    func `reports each message once with its number`(capacity: Int) throws {
        let producer = try producer()
        let topic = try producer.topic("t")
        let value: [UInt8] = [1, 2, 3]
        for opaque in 0..<10 as Range<UInt64> {
            let result = value.withUnsafeBytes {
                producer.produce(to: topic, key: nil, value: $0, opaque: opaque == 9 ? UInt64.max : opaque)
            }
            #expect(result == .queued)
        }
        let found = try reports(of: producer, 10, capacity: capacity)
        #expect(Set(found.map(\.opaque)) == Set(0..<9 as Range<UInt64>).union([UInt64.max]))
        #expect(found.allSatisfy { $0.isAcknowledged && $0.persistence == .acknowledged && $0.code == 0 })
        #expect(producer.unreported == 0)
    }

    @Test func `raises the signal for a report`() throws {
        let signal = try EventSignal()
        let producer = try producer([], signal)
        let topic = try producer.topic("t")
        var reports = DeliveryReports(capacity: 8)
        while producer.pollReports(&reports) > 0 {}
        signal.lower()
        var poller = try Poller()
        try poller.add(signal.fileDescriptor, .read, tag: 0)
        #expect(producer.send("x", to: topic) == .queued)
        let deadline = Clock.monotonicMillis() + 10_000
        var count = 0
        while count == 0, Clock.monotonicMillis() < deadline {
            guard poller.wait(timeoutMillis: 5_000) == 1 else { break }
            signal.lower()
            count = producer.pollReports(&reports)
        }
        #expect(count == 1)
    }

    @Test(arguments: [2, 3, Int32.max])
    func `refuses a partition that is not there, with a header too`(partition: Int32) throws {
        let producer = try producer()
        let topic = try producer.topic("t")
        #expect(topic.partitionCount == 2)
        let unknown = ProduceResult.failed(code: KafkaError.unknownPartition)
        #expect(producer.send("x", to: topic, partition: partition, headers: [("a", [1])]) == unknown)
        let value: [UInt8] = [1]
        let result = value.withUnsafeBytes { bytes in
            producer.produce(
                to: topic,
                partition: partition,
                key: nil,
                value: bytes,
                header: HeaderReference(name: "h", value: bytes),
                opaque: 1
            )
        }
        #expect(result == unknown)
        #expect(producer.unreported == 0)
    }

    @Test func `refuses at once what is too large, and no report follows`() throws {
        let producer = try producer([("message.max.bytes", "1000")])
        let topic = try producer.topic("t")
        let large = String(repeating: "x", count: 2_000)
        #expect(producer.send(large, to: topic) == .failed(code: KafkaError.messageSizeTooLarge))
        #expect(producer.unreported == 0)
    }

    @Test func `says that it is full and takes more when it is not`() throws {
        let producer = try producer([("queue.buffering.max.messages", "10")])
        let topic = try producer.topic("t")
        try cluster.stopBroker(-1)
        for _ in 0..<10 { #expect(producer.send("x", to: topic) == .queued) }
        #expect(producer.send("x", to: topic) == .queueFull)
        #expect(producer.send("x", to: topic, headers: [("a", nil)]) == .queueFull)
        #expect(producer.unreported == 10)
        try cluster.startBroker(-1)
        _ = try reports(of: producer, 10)
        #expect(producer.send("x", to: topic) == .queued)
    }

    @Test func `what is purged is reported as never sent`() throws {
        let producer = try producer()
        let topic = try producer.topic("t")
        try cluster.stopBroker(-1)
        for _ in 0..<5 { #expect(producer.send("x", key: "k", to: topic) == .queued) }
        #expect(!producer.flush(timeoutMillis: 50))
        producer.purge()
        let found = try reports(of: producer, 5)
        #expect(found.allSatisfy { !$0.isAcknowledged && $0.persistence == .none })
        #expect(found.allSatisfy { $0.code == KafkaError.purged }, "\(found)")
    }

    @Test func `what a broker refuses is reported, and its message handed back`() throws {
        let producer = try producer()
        let topic = try producer.topic("t")
        // 10 is MSG_SIZE_TOO_LARGE.
        cluster.pushErrors(.produce, [10])
        #expect(producer.send("value", key: "key", to: topic) == .queued)
        var reports = DeliveryReports(capacity: 4)
        let deadline = Clock.monotonicMillis() + 10_000
        while producer.pollReports(&reports, timeoutMillis: 20) == 0, Clock.monotonicMillis() < deadline {}
        #expect(reports.count == 1)
        let (report, failures) = (reports[0], reports.failures)
        #expect(report.code == KafkaError.messageSizeTooLarge)
        #expect(report.persistence == .none)
        #expect(failures.map(\.key) == [Array("key".utf8)])
        #expect(failures.map(\.value) == [Array("value".utf8)])
        #expect(failures.map(\.topic) == ["t"])
    }

    @Test func `hands back a message with a header whose topic may not be written`() throws {
        let producer = try producer()
        let topic = try producer.topic("t")
        // 29 is TOPIC_AUTHORIZATION_FAILED; afterwards librdkafka refuses messages of the topic by itself.
        cluster.pushErrors(.produce, [29, 29])
        let bytes = Array("x".utf8)
        var refused = 0
        for _ in 0..<200 where refused < 20 {
            let result = bytes.withUnsafeBytes { bytes in
                let header = HeaderReference(name: "content-type", value: bytes)
                return producer.produce(to: topic, key: bytes, value: bytes, header: header, opaque: 1)
            }
            if result == .queued { _ = producer.flush(timeoutMillis: 200) } else { refused += 1 }
            #expect(result == .queued || result == .failed(code: 29))
        }
        #expect(refused == 20)
    }

    @Test func `retries what passes by itself without a second copy`() throws {
        let producer = try producer([("retry.backoff.ms", "10")])
        let topic = try producer.topic("t")
        // 7 is REQUEST_TIMED_OUT, -195 closes the connection.
        cluster.pushErrors(.produce, [7, -195, 7])
        for _ in 0..<3 { #expect(producer.send("x", to: topic, partition: 0) == .queued) }
        #expect(try reports(of: producer, 3).allSatisfy(\.isAcknowledged))
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        let high = try consumer.watermarks(TopicPartition(topic: "t", partition: 0), timeoutMillis: 5_000).high
        #expect(high == 3)
    }

    @Test func `gives up after its time`() throws {
        let producer = try producer([("message.timeout.ms", "300")])
        let topic = try producer.topic("t")
        try cluster.stopBroker(-1)
        #expect(producer.send("x", to: topic) == .queued)
        let report = try reports(of: producer, 1)[0]
        #expect(report.code == -192, "_MSG_TIMED_OUT")
    }

    @Test func `ends with messages that nobody has sent`() throws {
        let producer = try producer([("linger.ms", "60000"), ("message.timeout.ms", "120000")])
        let topic = try producer.topic("t")
        for _ in 0..<100 { #expect(producer.send("x", to: topic) == .queued) }
    }

    @Test func `ends with reports that nobody has polled`() throws {
        let producer = try producer()
        let topic = try producer.topic("t")
        for _ in 0..<100 { #expect(producer.send("x", to: topic) == .queued) }
        var few = DeliveryReports(capacity: 1)
        let deadline = Clock.monotonicMillis() + 10_000
        while producer.pollReports(&few, timeoutMillis: 20) == 0, Clock.monotonicMillis() < deadline {}
    }
}
