import BlockingTestSupport
import Kafka
import KafkaTestSupport
import Testing

@Suite(.blocks, .timeLimit(.minutes(15))) struct RecordRoundTripTests {
    let cluster: MockCluster
    let producer: Producer
    let topic: ProducerTopic

    init() throws {
        cluster = try MockCluster()
        try cluster.createTopic("t", partitions: 1)
        producer = try Producer(cluster.settings("p", [("linger.ms", "1")]), signal: nil)
        topic = try producer.topic("t")
    }

    /// Reads the first record and gives it to a closure.
    private func read<Value>(_ body: (borrowing Record) -> Value) throws -> Value {
        #expect(producer.flush(timeoutMillis: 10_000))
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        let queue = try consumer.assignShared([(TopicPartition(topic: "t", partition: 0), 0)])
        var batch = RecordBatch(capacity: 1)
        for _ in 0..<500 where queue.take(into: &batch, max: 1, timeoutMillis: 20) > 0 {
            if let record = batch.next() { return body(record) }
        }
        throw MissingEvent(description: "a record")
    }

    @Test(arguments: [nil, "", "x"], [nil, "", "y"])
    func `null and empty stay what they are`(key: String?, value: String?) throws {
        #expect(producer.send(value, key: key, to: topic) == .queued)
        let record = try read { RecordCopy($0) }
        #expect(record.key == key)
        #expect(record.value == value)
        #expect(record.kind == .data)
    }

    @Test func `one static header comes back without a copy`() throws {
        let bytes = Array("apns-topic: com.example\n".utf8)
        let result = bytes.withUnsafeBytes {
            producer.produce(
                to: topic,
                key: $0,
                value: $0,
                header: HeaderReference(name: "push", value: $0),
                opaque: 0,
                timestampMillis: 1_700_000_000_123
            )
        }
        #expect(result == .queued)
        let found = try read { record in
            (record.header("push").map { Array($0) }, record.headerList?.count, record.timestampMillis)
        }
        #expect(found.0 == bytes)
        #expect(found.1 == 1)
        #expect(found.2 == 1_700_000_000_123)
    }

    @Test func `headers keep their order, their doubles and their nulls`() throws {
        let headers: [(String, [UInt8]?)] = [("a", [1]), ("b", nil), ("a", [2, 3]), ("c", []), ("ä", [0])]
        #expect(producer.send("x", to: topic, headers: headers) == .queued)
        let found = try read { (record: borrowing Record) -> [(String, [UInt8]?)?] in
            guard let list = record.headerList else { return [] }
            return (0..<list.count).map { index in
                (String(decoding: list[index].name, as: UTF8.self), list[index].value.map { Array($0) })
            }
        }
        #expect(found.count == 5)
        for (index, (name, value)) in headers.enumerated() {
            #expect(found[index]?.0 == name)
            #expect(found[index]?.1 == value, "\(name)")
        }
    }

    @Test func `the last header of a name counts`() throws {
        #expect(producer.send("x", to: topic, headers: [("a", [1]), ("b", nil), ("a", [2])]) == .queued)
        let found = try read { record in
            (record.header("a").map { Array($0) }, record.header("b") == nil, record.header("c") == nil)
        }
        #expect(found.0 == [2])
        #expect(found.1 && found.2)
    }

    @Test func `a record without headers has none`() throws {
        #expect(producer.send("x", to: topic) == .queued)
        let found = try read { record in (record.headerList == nil, record.header("a") == nil) }
        #expect(found.0 && found.1)
    }

    @Test func `lends its value as a span`() throws {
        #expect(producer.send("abc", to: topic) == .queued)
        let found = try read { record in
            let bytes = record.valueBytes
            return (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
        #expect(found == Array("abc".utf8))
    }

    @Test func `lends no bytes of a tombstone`() throws {
        #expect(producer.send(nil, key: "k", to: topic) == .queued)
        #expect(try read { $0.valueBytes.byteCount } == 0)
    }

    @Test func `keys land where the Java client would put them`() throws {
        // Murmur2 of Kafka's own tests: "21" is -973932308, "foobar" -790332482; of 4 partitions 0 and 2.
        try cluster.createTopic("keys", partitions: 4)
        let topic = try producer.topic("keys")
        for key in ["21", "foobar"] { #expect(producer.send("x", key: key, to: topic) == .queued) }
        #expect(producer.flush(timeoutMillis: 10_000))
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        let counts = try (0..<4).map { partition in
            try consumer.watermarks(TopicPartition(topic: "keys", partition: partition), timeoutMillis: 5_000).high
        }
        let expected = [-973_932_308, -790_332_482].map { (hash: Int32) in Int(hash & 0x7fff_ffff) % 4 }
        #expect(counts == (0..<4).map { partition in Int64(expected.count { $0 == partition }) })
    }
}
