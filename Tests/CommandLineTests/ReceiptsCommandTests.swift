import BlockingTestSupport
import CommandLineTestSupport
import Glibc
import Kafka
import KafkaTestSupport
import Operations
import Testing

/// `geopush receipts` on a cluster in memory.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct ReceiptsCommandTests {
    private static let token = String(repeating: "ab", count: 32)
    /// The SHA-256 of the token's digits, by `printf | sha256sum`.
    private static let tokenDigest = "271a413bd339c5709fdceaec41f14f11e9fbfb5042d72d331c65f32b284cd09a"

    private let cluster: MockCluster
    private let producer: Producer
    private let topic: ProducerTopic

    init() throws {
        cluster = try MockCluster()
        try cluster.createTopic("geopush.receipts", partitions: 3)
        producer = try Producer(cluster.settings("receipts-test"), signal: nil)
        topic = try producer.topic("geopush.receipts")
    }

    private func write(_ data: String...) {
        for data in data {
            let value = """
                {"specversion":"1.0","id":"1","type":"push.receipt","time":"2026-12-01T09:30:00.000Z","data":\(data)}
                """
            #expect(producer.send(value, to: topic) == .queued)
        }
        #expect(producer.flush(timeoutMillis: 10_000))
    }

    private func writeFour() {
        write(
            #"{"status":"accepted","eventId":"e1","campaignId":"c1","locationId":"l1","deviceId":"d1"}"#,
            #"{"status":"accepted","eventId":"e2","campaignId":"c1","locationId":"l2","deviceId":"d2"}"#,
            #"{"status":"rejected","reason":"BadDeviceToken","eventId":"e2","token":"\#(Self.token)"}"#,
            #"{"status":"unregistered","reason":"Unregistered","eventId":"e2","token":"\#(Self.tokenDigest)"}"#
        )
        #expect(producer.send("no receipt", to: topic) == .queued)
        #expect(producer.send(nil, key: "k", to: topic) == .queued)
        #expect(producer.flush(timeoutMillis: 10_000))
    }

    private func receipts(_ words: String...) throws -> Command {
        try Command(["receipts", "--kafka-bootstrap-servers", cluster.bootstrapServers] + words)
    }

    private func lines(_ words: String...) throws -> [String] {
        let command = try Command(
            ["receipts", "--kafka-bootstrap-servers", cluster.bootstrapServers, "--json"] + words
        )
        #expect(try command.wait() == 0)
        #expect(command.errors.isEmpty)
        return command.output.split(separator: "\n").map(String.init)
    }

    @Test func `shows all there is, then ends`() throws {
        writeFour()
        let command = try receipts()
        #expect(try command.wait() == 0)
        let lines = command.output.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.first?.hasPrefix("TIME ") == true)
        #expect(lines.contains { $0.contains("accepted") && $0.contains("d1") && $0.hasSuffix("e1") })
        #expect(lines.contains { $0.contains("rejected") && $0.contains("BadDeviceToken") && !$0.contains(Self.token) })
    }

    @Test func `keeps columns below each other where characters are wide, and shows those that act`() throws {
        write(
            #"{"status":"accepted","reason":"a\u202Eb\u2028","deviceId":"東京👩‍🚀","locationId":"ｶﾞ","eventId":"e1"}"#
        )
        let command = try receipts()
        #expect(try command.wait() == 0)
        let line = [
            "2026-12-01T09:30:00.000Z", "accepted    ", #"a\u{202e}b\u{2028}          "#,
            "東京👩‍🚀" + String(repeating: " ", count: 18), "ｶﾞ" + String(repeating: " ", count: 22),
            "-" + String(repeating: " ", count: 23), "e1",
        ]
        #expect(command.output.split(separator: "\n").last.map(String.init) == line.joined(separator: "  "))
        let summary = try receipts("--summary", "--by", "location")
        #expect(try summary.wait() == 0)
        #expect(summary.output.split(separator: "\n")[1] == "ｶﾞ               1      1")
    }

    @Test func `shows nothing of an empty topic, and counts it`() throws {
        #expect(try lines() == [])
        #expect(try lines("--summary") == [#"{"total":0,"outcomes":[]}"#])
    }

    @Test func `prints the data of each receipt as JSON`() throws {
        writeFour()
        #expect(
            try lines("--event", "e1")
                == [#"{"status":"accepted","eventId":"e1","campaignId":"c1","locationId":"l1","deviceId":"d1"}"#]
        )
    }

    @Test(
        arguments: [
            (["--event", "e2"], 3), (["--campaign", "c1"], 2), (["--location", "l1"], 1), (["--device", "d2"], 1),
            (["--token", token.uppercased()], 2), (["--status", "rejected"], 1), (["--status", "expired"], 0),
            (["--event", "e2", "--status", "accepted"], 1), (["--device", "d"], 0), (["--stop-after", "3"], 3),
        ]
    ) func `filters`(words: [String], count: Int) throws {
        writeFour()
        let command = try Command(
            ["receipts", "--kafka-bootstrap-servers", cluster.bootstrapServers, "--json"] + words
        )
        #expect(try command.wait() == 0)
        #expect(command.output.split(separator: "\n").count == count)
    }

    @Test func `counts by status and reason`() throws {
        writeFour()
        let command = try receipts("--summary")
        #expect(try command.wait() == 0)
        #expect(
            command.output == """
                STATUS        REASON          COUNT
                accepted      -                   2
                rejected      BadDeviceToken      1
                unregistered  Unregistered        1
                total                             4

                """
        )
        #expect(
            try lines("--summary") == [
                #"{"total":4,"outcomes":[{"status":"accepted","reason":null,"count":2},"#
                    + #"{"status":"rejected","reason":"BadDeviceToken","count":1},"#
                    + #"{"status":"unregistered","reason":"Unregistered","count":1}]}"#
            ]
        )
    }

    @Test func `counts by campaign and by location`() throws {
        writeFour()
        let command = try receipts("--summary", "--by", "campaign")
        #expect(try command.wait() == 0)
        #expect(
            command.output == """
                CAMPAIGN  ACCEPTED  REJECTED  UNREGISTERED  TOTAL
                c1               2         0             0      2
                -                0         1             1      2
                total            2         1             1      4

                """
        )
        #expect(
            try lines("--summary", "--by", "location") == [
                #"{"total":4,"groups":[{"location":"l1","total":1,"statuses":{"accepted":1}},"#
                    + #"{"location":"l2","total":1,"statuses":{"accepted":1}},"#
                    + #"{"location":null,"total":2,"statuses":{"rejected":1,"unregistered":1}}]}"#
            ]
        )
        #expect(try receipts("--by", "campaign").wait() == 64)
    }

    @Test func `shows no character that a terminal acts upon`() throws {
        write(#"{"status":"failed","deviceId":"\u001b[2J"}"#)
        let command = try receipts()
        #expect(try command.wait() == 0)
        #expect(command.output.contains(#"\u{1b}[2J"#))
        #expect(!command.output.contains("\u{1B}"))
    }

    @Test(arguments: [[:], ["NO_COLOR": "1"], ["TERM": "dumb"]])
    func `colours the status on a terminal, and counts below`(environment: [String: String]) throws {
        writeFour()
        let terminal = try Terminal()
        let command = try Command(
            ["receipts", "--kafka-bootstrap-servers", cluster.bootstrapServers],
            output: terminal.path,
            environment: environment
        )
        #expect(try command.wait() == 0)
        let lines = try terminal.lines(count: 6)
        #expect(lines.last == "4 receipts: 2 accepted, 1 rejected, 1 unregistered")
        let accepted = environment.isEmpty ? "\u{1B}[32maccepted\u{1B}[0m      -" : "accepted      -"
        #expect(lines.count { $0.contains(accepted) } == 2)
    }

    @Test func `says on a terminal how many come in a second`() throws {
        let terminal = try Terminal()
        let command = try Command(
            ["receipts", "--kafka-bootstrap-servers", cluster.bootstrapServers, "--follow"],
            output: terminal.path
        )
        try terminal.text { $0.contains("0 receipts, 0.0/s") }
        writeFour()
        try terminal.text { text in
            // A rate that is not 0 follows within a second.
            text.contains("4 receipts, ") && !text.hasSuffix("0.0/s: 2 accepted, 1 rejected, 1 unregistered")
        }
        command.send(SIGINT)
        #expect(try command.wait() == 0)
        try terminal.text { $0.hasSuffix("\u{1B}[K4 receipts: 2 accepted, 1 rejected, 1 unregistered\n") }
    }

    @Test func `follows from now on`() throws {
        writeFour()
        let command = try receipts("--follow", "--stop-after", "1")
        // The header comes when the offsets to begin at are known.
        try command.wait(for: "TIME ")
        write(#"{"status":"accepted","deviceId":"late"}"#)
        #expect(try command.wait() == 0)
        let lines = command.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains("late") == true)
    }

    @Test func `follows from the beginning, and counts until a signal`() throws {
        writeFour()
        let command = try receipts("--follow", "--from-beginning")
        try command.wait(for: "d2")
        write(#"{"status":"accepted","deviceId":"late"}"#)
        try command.wait(for: "late")
        command.send(SIGTERM)
        #expect(try command.wait() == 0)
        let summary = try receipts("--follow", "--from-beginning", "--summary", "--stop-after", "5")
        #expect(try summary.wait() == 0)
        #expect(summary.output.hasSuffix("total                             5\n"))
    }

    @Test func `says which topic is missing`() throws {
        let command = try receipts("--kafka-topic-prefix", "other.")
        // The cluster in memory makes a topic when it is asked about, a real one does not.
        #expect([0, 78].contains(try command.wait()))
    }

    @Test func `ends with 1 when Kafka does not answer`() throws {
        let run = try Command.run("receipts", "--kafka-bootstrap-servers", "127.0.0.1:1")
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("Error: Kafka at 127.0.0.1:1 does not answer ("))
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
