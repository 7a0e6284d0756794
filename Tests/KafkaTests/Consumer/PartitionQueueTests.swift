import BlockingTestSupport
import EventLoop
import Kafka
import KafkaTestSupport
import Observability
import Synchronization
import Testing

@Suite(.blocks, .timeLimit(.minutes(15))) struct PartitionQueueTests {
    let cluster: MockCluster
    let partition = TopicPartition(topic: "t", partition: 0)

    init() throws { cluster = try MockCluster() }

    private func consumer(_ signal: EventSignal? = nil, _ properties: [(String, String)] = []) throws -> Consumer {
        try Consumer(cluster.settings("c", properties), group: "g", signal: signal)
    }

    /// Waits until so many records are fetched, without taking any.
    private func waitForCount(_ count: Int, in queue: PartitionQueue, _ consumer: Consumer) throws {
        let deadline = Clock.monotonicMillis() + 10_000
        while queue.count < count {
            guard Clock.monotonicMillis() < deadline else { throw MissingEvent(description: "\(count) records") }
            _ = consumer.pollEvent(timeoutMillis: 5)
        }
    }

    /// Takes exactly so many; librdkafka's own marks in the queue are none.
    private func take(_ count: Int, from queue: PartitionQueue, into batch: inout RecordBatch) throws {
        let deadline = Clock.monotonicMillis() + 10_000
        var poller = try Poller()
        while queue.take(into: &batch, max: count) != count {
            guard batch.count == 0, Clock.monotonicMillis() < deadline else {
                throw MissingEvent(description: "\(count) records, got \(batch.count)")
            }
            _ = poller.wait(timeoutMillis: 5)
        }
    }

    @Test func `takes no more than asked and no more than fit`() throws {
        try cluster.fill("t", count: 10)
        let consumer = try consumer()
        let queue = try consumer.assign([(partition, 0)])[0]
        try waitForCount(12, in: queue, consumer)
        var batch = RecordBatch(capacity: 4)
        #expect(batch.count == 0)
        #expect(queue.take(into: &batch, max: 3) == 3)
        var offsets: [Int64] = []
        while let record = batch.next() { offsets.append(record.offset) }
        #expect(queue.take(into: &batch, max: 100) == 4)
        while let record = batch.next() { offsets.append(record.offset) }
        #expect(offsets == Array(0..<7))
        #expect(queue.take(into: &batch, max: 0) == 0)
        #expect(queue.take(into: &batch, max: 100) == 4)
    }

    @Test func `records that were not taken from a batch are freed with it`() throws {
        try cluster.fill("t", count: 10)
        let consumer = try consumer()
        let queue = try consumer.assign([(partition, 0)])[0]
        try waitForCount(12, in: queue, consumer)
        var batch = RecordBatch(capacity: 10)
        try take(10, from: queue, into: &batch)
        _ = batch.next()
        // The consumer could not be destroyed before the records are.
        consumer.close(timeoutMillis: 2_000)
        #expect(batch.count == 9)
    }

    @Test func `a record is readable after its consumer is closed`() throws {
        try cluster.fill("t", count: 1)
        let consumer = try consumer()
        let queue = try consumer.assign([(partition, 0)])[0]
        var batch = RecordBatch(capacity: 1)
        try take(1, from: queue, into: &batch)
        guard let held = batch.next() else { throw MissingEvent(description: "a record") }
        consumer.close(timeoutMillis: 2_000)
        #expect(queue.isClosed)
        #expect(queue.take(into: &batch, max: 1) == 0)
        let copy = RecordCopy(held)
        #expect(copy.value == "0")
    }

    @Test func `the signal is raised for the first record of an empty queue`() throws {
        try cluster.fill("t", count: 5)
        let signal = try EventSignal()
        var poller = try Poller()
        try poller.add(signal.fileDescriptor, .read, tag: 7)
        let consumer = try consumer(signal)
        let queue = try consumer.assign([(partition, 0)])[0]
        var batch = RecordBatch(capacity: 16)
        var found = 0
        let deadline = Clock.monotonicMillis() + 10_000
        while found < 6, Clock.monotonicMillis() < deadline {
            guard poller.wait(timeoutMillis: 5_000) > 0 else { break }
            signal.lower()
            while consumer.pollEvent() != nil {}
            while queue.take(into: &batch, max: 16) > 0 { while batch.next() != nil { found += 1 } }
        }
        #expect(found == 6, "five records and the end of the partition")
    }

    @Test func `the signal is raised again after what was fetched is dropped by a seek`() throws {
        try cluster.fill("t", count: 5)
        let signal = try EventSignal()
        var poller = try Poller()
        try poller.add(signal.fileDescriptor, .read, tag: 7)
        let consumer = try consumer(signal)
        let queue = try consumer.assign([(partition, 0)])[0]
        try waitForCount(6, in: queue, consumer)
        signal.lower()
        try consumer.seek([(partition, 3)], timeoutMillis: 5_000)
        var batch = RecordBatch(capacity: 16)
        var offsets: [Int64] = []
        let deadline = Clock.monotonicMillis() + 10_000
        while offsets.count < 3, Clock.monotonicMillis() < deadline {
            guard poller.wait(timeoutMillis: 5_000) > 0 else { break }
            signal.lower()
            while queue.take(into: &batch, max: 16) > 0 {
                while let record = batch.next() { offsets.append(record.offset) }
            }
        }
        #expect(offsets == [3, 4, 5])
    }

    @Test func `one queue can gather all partitions`() throws {
        try cluster.fill("t", partitions: 3, count: 30)
        let consumer = try consumer()
        let queue = try consumer.assignShared((0..<3).map { (TopicPartition(topic: "t", partition: $0), 0) })
        var batch = RecordBatch(capacity: 8)
        var values: Set<String> = []
        var ends = 0
        let deadline = Clock.monotonicMillis() + 10_000
        while ends < 3, Clock.monotonicMillis() < deadline {
            _ = consumer.pollEvent()
            _ = queue.take(into: &batch, max: 8, timeoutMillis: 20)
            while let record = batch.next() {
                #expect(record.topicPartition.topic == "t")
                if let value = RecordCopy(record).value { values.insert(value) } else { ends += 1 }
            }
        }
        #expect(values.count == 30)
    }

    @Test func `an offset that is not there begins at the earliest, and the log says so`() throws {
        try cluster.fill("t", count: 3)
        let lines = Mutex<[String]>([])
        let output = LogOutput(level: .warning, format: .text) { line in
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
        var settings = cluster.settings("c")
        settings.logger = Logger(label: "kafka", output: output)
        let consumer = try Consumer(settings, group: "g", signal: nil)
        let records = try consumer.read(consumer.assign([(partition, 1_000)]), until: 3)
        #expect(records.map(\.offset).prefix(3) == [0, 1, 2])
        let said = lines.withLock { $0.contains { $0.contains("offset reset") && $0.contains("1000") } }
        #expect(said)
    }

    @Test func `an offset that is not there is an error where the reset says so`() throws {
        try cluster.fill("t", count: 3)
        let consumer = try consumer(nil, [("auto.offset.reset", "error")])
        let queue = try consumer.assign([(partition, 1_000)])[0]
        var batch = RecordBatch(capacity: 1)
        try take(1, from: queue, into: &batch)
        guard let record = batch.next() else { throw MissingEvent(description: "an error") }
        let (copy, error, isData) = (RecordCopy(record), record.error, record.isData)
        #expect(copy.kind == .failed(code: -140))
        #expect(error?.name == "_AUTO_OFFSET_RESET")
        #expect(copy.value == nil && !isData)
    }

    @Test func `the beginning and the end can be asked for`() throws {
        try cluster.fill("t", partitions: 2, count: 10)
        let consumer = try consumer()
        let (first, second) = (partition, TopicPartition(topic: "t", partition: 1))
        let queues = try consumer.assign([(first, Consumer.beginning), (second, Consumer.end)])
        let records = try consumer.read(queues, until: 2, of: .endOfPartition)
        #expect(records.filter { $0.kind == .data }.allSatisfy { $0.partition == 0 })
        #expect(try consumer.watermarks(second, timeoutMillis: 5_000) == (0, 5))
        #expect(try consumer.partitionCount(of: "t", timeoutMillis: 5_000) == 2)
    }
}
