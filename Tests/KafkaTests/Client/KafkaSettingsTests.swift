import EventLoop
import Kafka
import Observability
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct KafkaSettingsTests {
    @Test func `a property that is set twice has the later value`() {
        var settings = KafkaSettings(bootstrapServers: "a:1", clientID: "c", properties: [("linger.ms", "1")])
        settings.set("linger.ms", "2")
        #expect(settings["linger.ms"] == "2")
        #expect(settings.properties.count { $0.0 == "linger.ms" } == 1)
        #expect(settings["acks"] == nil)
    }

    @Test(arguments: [
        "sasl.password", "ssl.key.password", "ssl.key.pem", "ssl.key.location", "sasl.oauthbearer.config",
    ])
    func `secrets are not printed`(key: String) {
        let settings = KafkaSettings(bootstrapServers: "a:1", clientID: "c", properties: [(key, "hunter2")])
        #expect("\(settings)" == "bootstrap.servers=a:1 client.id=c \(key)=<redacted>")
    }

    @Test func `an unknown property is named`() {
        let settings = KafkaSettings(bootstrapServers: "a:1", clientID: "c", properties: [("no.such", "1")])
        let error = #expect(throws: KafkaError.self) { try Producer(settings, signal: nil) }
        #expect(error?.code == KafkaError.invalidArgument)
        #expect(error?.message.contains("no.such") == true)
    }

    @Test func `a value that is refused is named but for secrets`() {
        var settings = KafkaSettings(bootstrapServers: "a:1", clientID: "c", properties: [("linger.ms", "soon")])
        let plain = #expect(throws: KafkaError.self) { try Producer(settings, signal: nil) }
        #expect(plain?.message.hasPrefix("invalid linger.ms \"soon\": ") == true)
        settings.set("linger.ms", "1")
        settings.set("enable.sasl.oauthbearer.unsecure.jwt", "hunter2")
        let secret = #expect(throws: KafkaError.self) { try Producer(settings, signal: nil) }
        #expect(secret?.message == "invalid value for enable.sasl.oauthbearer.unsecure.jwt")
    }

    @Test func `settings that do not go together are refused at the start`() {
        let settings = KafkaSettings(
            bootstrapServers: "a:1",
            clientID: "c",
            properties: [("session.timeout.ms", "20000"), ("max.poll.interval.ms", "10000")]
        )
        #expect(throws: KafkaError.self) { try Consumer(settings, group: "g", signal: nil) }
    }

    @Test func `the settings cannot turn automatic commits on`() throws {
        let settings = KafkaSettings(
            bootstrapServers: "127.0.0.1:1",
            clientID: "c",
            properties: [("enable.auto.commit", "true"), ("group.id", "other")]
        )
        let consumer = try Consumer(settings, group: "g", signal: nil)
        consumer.close(timeoutMillis: 100)
    }

    @Test func `what librdkafka logs goes to the log of the settings`() throws {
        let lines = Mutex<[String]>([])
        let output = LogOutput(level: .trace, format: .json) { line in
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
        var settings = KafkaSettings(bootstrapServers: "127.0.0.1:1", clientID: "talker")
        settings.logger = Logger(label: "kafka", output: output)
        let consumer = try Consumer(settings, group: "g", signal: nil)
        try consumer.subscribe(["t"])
        let deadline = Clock.monotonicMillis() + 10_000
        var isAllDown = false
        while !isAllDown, Clock.monotonicMillis() < deadline {
            if case .failed(let error)? = consumer.pollEvent(timeoutMillis: 50) {
                isAllDown = error.code == KafkaError.allBrokersDown
            }
        }
        #expect(isAllDown)
        let line = lines.withLock { $0.first { $0.contains("Connection refused") } }
        #expect(line?.contains("\"kafka.client.id\":\"talker\"") == true)
        #expect(line?.contains("\"level\":\"warning\"") == true)
        consumer.close(timeoutMillis: 200)
    }

    @Test func `knows its own version`() {
        #expect(LibraryVersion.text.hasPrefix("2."))
        #expect(LibraryVersion.number >= 0x0200_00ff)
    }

    @Test func `a mock cluster needs a broker`() {
        #expect(throws: KafkaError.self) { try MockCluster(brokers: 0) }
    }
}
