import BlockingTestSupport
import CommandLineTestSupport
import Glibc
import Kafka
import KafkaTestSupport
import Testing

/// `geopush dead-letters --requeue` on a cluster in memory.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct DeadLettersRequeueTests {
    private let cluster: MockCluster
    private let producer: Producer
    private let topic: ProducerTopic

    init() throws {
        cluster = try MockCluster()
        try cluster.createTopic("geopush.dead-letters", partitions: 1)
        try cluster.createTopic("geopush.location-events", partitions: 1)
        producer = try Producer(cluster.settings("requeue-test"), signal: nil)
        topic = try producer.topic("geopush.dead-letters")
    }

    private func write(_ value: String?, key: String?, _ headers: [(String, String)]) {
        let all = headers.map { ($0.0, Optional(Array($0.1.utf8))) } + [("nothing", nil)]
        #expect(producer.send(value, key: key, to: topic, headers: all) == .queued)
        #expect(producer.flush(timeoutMillis: 10_000))
    }

    private func run(_ words: String...) throws -> (code: Int32, lines: [String], errors: String) {
        let command = try Command(["dead-letters", "--kafka-bootstrap-servers", cluster.bootstrapServers] + words)
        let code = try command.wait()
        return (code, command.output.split(separator: "\n").map(String.init), command.errors)
    }

    private let source = [("dlq.topic", "geopush.location-events"), ("dlq.code", "geopush:wrong-type")]

    /// What stands in the topic that they go back to: key, value and headers as text.
    private func requeued() throws -> [String] {
        let consumer = try Consumer(cluster.settings("requeue-reader"), group: "r", signal: nil)
        let partition = TopicPartition(topic: "geopush.location-events", partition: 0)
        let count = try consumer.watermarks(partition, timeoutMillis: 10_000).high
        let queue = try consumer.assignShared([(partition, Consumer.beginning)])
        var batch = RecordBatch(capacity: 100)
        var found: [String] = []
        while found.count < count {
            _ = queue.take(into: &batch, max: 100, timeoutMillis: 1_000)
            while let record = batch.next() { if record.kind == .data { found.append(text(of: record)) } }
        }
        return found
    }

    private func text(of record: borrowing Record) -> String {
        let key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? "null"
        let value = record.value.map { String(decoding: $0, as: UTF8.self) } ?? "null"
        var headers = ""
        if let list = record.headerList {
            for index in 0..<list.count {
                let value = list[index].value.map { String(decoding: $0, as: UTF8.self) } ?? "null"
                headers += " \(String(decoding: list[index].name, as: UTF8.self))=\(value)"
            }
        }
        return "\(key) \(value)\(headers)"
    }

    @Test func `sends the key, the value and the headers back as they came`() throws {
        write("one", key: "k1", [("ce_id", "e1")] + source)
        write("", key: nil, source)
        write(nil, key: "k3", source)
        let run = try run("--requeue", "0:0", "0:1", "0:2")
        #expect(run.code == 0)
        #expect(run.lines.sorted() == (0..<3).map { "sent     0:\($0) to geopush.location-events 0:\($0)" })
        #expect(try requeued() == ["k1 one ce_id=e1 nothing=null", "null  nothing=null", "k3 null nothing=null"])
    }

    @Test func `sends all that match only with a yes`() throws {
        for number in 0..<3 { write("\(number)", key: nil, source) }
        write("other", key: nil, [("dlq.topic", "geopush.location-events"), ("dlq.code", "geopush:missing-field")])
        let asked = try run("--requeue", "--code", "wrong-type")
        #expect(asked.code == 1)
        #expect(asked.lines.count == 4)
        #expect(asked.errors == "Error: nothing was sent back: name places, or add --yes for these 3\n")
        #expect(try requeued() == [])
        #expect(try run("--requeue", "--code", "wrong-type", "--yes").code == 0)
        #expect(try requeued().count == 3)
    }

    @Test(
        arguments: [
            ([("dlq.topic", "geopush.location-events"), ("dlq.value.omitted", "true")], "its value was too large"),
            (
                [("dlq.topic", "t"), ("dlq.headers.omitted", "true"), ("dlq.key.omitted", "true")],
                "its key and headers were too large"
            ), ([], "it does not say which topic it came from"),
            ([("dlq.topic", "")], "it does not say which topic it came from"),
        ]
    ) func `refuses what is not whole, and sends the rest`(headers: [(String, String)], reason: String) throws {
        write(nil, key: "k1", headers)
        write("two", key: "k2", source)
        let run = try run("--requeue", "--yes")
        #expect(run.code == 1)
        #expect(run.lines.contains { $0.hasPrefix("refused  0:0: \(reason)") })
        #expect(run.lines.contains("sent     0:1 to geopush.location-events 0:0"))
        #expect(run.errors == "Error: 1 of 2 were not sent back, see above\n")
    }

    @Test func `says what it has sent when a signal stops it in the middle`() throws {
        let value = String(repeating: "x", count: 1_000)
        for _ in 0..<4_000 {
            let headers = source.map { ($0.0, Optional(Array($0.1.utf8))) }
            #expect(producer.send(value, key: "k", to: topic, headers: headers) == .queued)
        }
        #expect(producer.flush(timeoutMillis: 30_000))
        // A fetch brings about a thousand, so that it takes seconds to read all.
        try cluster.setRoundTrip(broker: 1, millis: 1_000)
        let words = ["dead-letters", "--requeue", "--yes", "--kafka-bootstrap-servers", cluster.bootstrapServers]
        let command = try Command(words)
        try command.wait(for: "sent     0:0 to", timeoutMillis: 60_000)
        command.send(SIGTERM)
        #expect(try command.wait() == 1)
        try cluster.setRoundTrip(broker: 1, millis: 0)
        let count = command.output.split(separator: "\n").count
        #expect(command.errors == "Error: stopped by a signal: only the \(count) that are named above were sent back\n")
        #expect(count < 4_000)
        #expect(try requeued().count == count)
    }

    @Test func `says in JSON where each went`() throws {
        write("one", key: "k1", source)
        write(nil, key: nil, [])
        let run = try run("--requeue", "--yes", "--json")
        #expect(
            Set(run.lines) == [
                #"{"deadLetter":{"partition":0,"offset":0},"topic":"geopush.location-events","partition":0,"offset":0}"#,
                #"{"deadLetter":{"partition":0,"offset":1},"refused":"it does not say which topic it came from"}"#,
            ]
        )
    }
}
