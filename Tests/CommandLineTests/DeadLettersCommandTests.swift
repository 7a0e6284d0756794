import BlockingTestSupport
import CommandLineTestSupport
import Glibc
import Kafka
import KafkaTestSupport
import Testing

/// `geopush dead-letters` on a cluster in memory.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct DeadLettersCommandTests {
    private let cluster: MockCluster
    private let producer: Producer
    private let topic: ProducerTopic

    init() throws {
        cluster = try MockCluster()
        try cluster.createTopic("geopush.dead-letters", partitions: 1)
        try cluster.createTopic("geopush.location-events", partitions: 2)
        producer = try Producer(cluster.settings("dead-letters-test"), signal: nil)
        topic = try producer.topic("geopush.dead-letters")
    }

    private func headers(
        _ code: String,
        from topic: String = "geopush.location-events",
        offset: Int = 7
    ) -> [(
        String, [UInt8]?
    )] {
        let texts = [
            ("dlq.topic", topic), ("dlq.partition", "1"), ("dlq.offset", "\(offset)"), ("dlq.code", "geopush:\(code)"),
            ("dlq.message", "$.radius: found\na text, expected a number"),
        ]
        return texts.map { ($0.0, Array($0.1.utf8)) }
    }

    private func write(_ value: String?, key: String? = nil, _ headers: [(String, [UInt8]?)]) {
        #expect(producer.send(value, key: key, to: topic, headers: headers) == .queued)
        #expect(producer.flush(timeoutMillis: 10_000))
    }

    /// 0: a text with a header of its own. 1: of another topic and code. 2: without its value. 3: null.
    private func writeFour() {
        write("{\u{1B}[2J}", key: "site-1", [("ce_id", Array("e1".utf8)), ("empty", nil)] + headers("wrong-type"))
        write("b", key: "site-2", headers("missing-field", from: "geopush.campaign-events"))
        write(nil, key: "site-3", headers("wrong-type") + [("dlq.value.omitted", Array("true".utf8))])
        write(nil, headers("wrong-type"))
    }

    private func run(_ words: String...) throws -> (code: Int32, lines: [String], errors: String) {
        let command = try Command(["dead-letters", "--kafka-bootstrap-servers", cluster.bootstrapServers] + words)
        let code = try command.wait()
        return (code, command.output.split(separator: "\n").map(String.init), command.errors)
    }

    @Test func `lists all there are`() throws {
        writeFour()
        let run = try run()
        #expect(run.code == 0)
        #expect(run.lines.count == 5)
        #expect(run.lines[0].hasPrefix("PLACE "))
        #expect(run.lines[1].hasPrefix("0:0 "))
        for part in ["geopush.location-events/1/7", "geopush:wrong-type", "site-1", "$.radius: found\\u{a}a text"] {
            #expect(run.lines[1].contains(part), "\(part)")
        }
    }

    @Test func `lists nothing of an empty topic`() throws {
        #expect(try run("--json").lines == [])
    }

    @Test func `prints one JSON object a line`() throws {
        writeFour()
        let line = try #require(try run("--json", "0:0").lines.first)
        let tail =
            #""source":{"topic":"geopush.location-events","partition":1,"offset":7},"code":"geopush:wrong-type","#
            + #""message":"$.radius: found\u000aa text, expected a number","key":"site-1","valueBytes":6,"omitted":[]}"#
        #expect(line.hasPrefix(#"{"partition":0,"offset":0,"time":"20"#))
        #expect(line.hasSuffix(tail))
    }

    @Test(
        arguments: [
            (["--code", "wrong-type"], 3), (["--code", "geopush:missing-field"], 1),
            (["--topic", "campaign-events"], 1),
            (["--topic", "geopush.location-events"], 3), (["--since", "1h"], 4),
            (["--since", "2199-01-01T00:00:00Z"], 0),
            (["--since", "2001-01-01T00:00:00.5+09:00"], 4), (["0:1", "0:3"], 2), (["0:1", "--code", "wrong-type"], 0),
        ]
    ) func `filters`(words: [String], count: Int) throws {
        writeFour()
        let command = try Command(
            ["dead-letters", "--kafka-bootstrap-servers", cluster.bootstrapServers, "--json"] + words
        )
        #expect(try command.wait() == 0)
        #expect(command.output.split(separator: "\n").count == count)
    }

    @Test func `follows what comes`() throws {
        writeFour()
        let command = try Command([
            "dead-letters", "--kafka-bootstrap-servers", cluster.bootstrapServers, "--follow",
        ])
        try command.wait(for: "PLACE ")
        write("late", key: "late-key", headers("wrong-type"))
        try command.wait(for: "late-key")
        command.send(SIGINT)
        #expect(try command.wait() == 0)
        #expect(command.output.split(separator: "\n").count == 2)
    }

    @Test func `shows the bytes as they came, or all in JSON`() throws {
        writeFour()
        #expect(try run("--show", "0:0").lines == ["{\u{1B}[2J}"])
        let json = try #require(try run("--show", "0:0", "--json").lines.first)
        #expect(
            json.hasSuffix(
                #""headers":[{"name":"ce_id","value":"e1"},{"name":"empty","value":null}],"value":"{\u001b[2J}"}"#
            )
        )
        #expect(try run("--show", "0:3").lines == [])
        let omitted = try run("--show", "0:2")
        #expect(omitted.code == 1)
        #expect(omitted.errors.contains("0:2 was too large to be kept"))
    }

    @Test func `shows a page on a terminal, without characters that it would act upon`() throws {
        writeFour()
        let terminal = try Terminal()
        let command = try Command(
            ["dead-letters", "--kafka-bootstrap-servers", cluster.bootstrapServers, "--show", "0:0"],
            output: terminal.path
        )
        #expect(try command.wait() == 0)
        let lines = try terminal.lines(count: 10)
        #expect(lines.contains("source   geopush.location-events/1/7"))
        #expect(lines.contains("header   ce_id: e1"))
        #expect(lines.last == #"{\u{1b}[2J}"#)
    }

    @Test func `says where there is none`() throws {
        writeFour()
        let run = try run("--show", "0:99")
        #expect(run.code == 1)
        #expect(run.errors == "Error: no dead letter at 0:99\n")
    }

    @Test(
        arguments: [
            (["--show"], "--show needs one place"), (["--yes"], "--yes goes with --requeue"),
            (["--show", "--requeue", "0:1"], "do not go together"), (["0-1"], "expected PARTITION:OFFSET"),
            (["--since", "yesterday"], "invalid --since"), (["--follow", "0:1"], "--follow takes no place"),
        ]
    ) func `ends with 64 when the command line is wrong`(words: [String], message: String) throws {
        let command = try Command(["dead-letters"] + words)
        #expect(try command.wait() == 64)
        #expect(command.errors.contains(message))
    }
}
