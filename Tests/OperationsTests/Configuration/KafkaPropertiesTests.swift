import Testing

@testable import Operations

@Suite struct KafkaPropertiesTests {
    @Test(arguments: KafkaProperties.refusedNames + ["test.mock.num.brokers", "rebalance_cb", "ACKS"])
    func `refuses a property that would break a guarantee, by name`(name: String) throws {
        let file = "{kafka: {properties: {\"\(name)\": \"1\"}}}"
        let error = try #require(throws: ConfigurationError.self) {
            _ = try ConfigurationReader(file: (path: "f", bytes: Array(file.utf8))).read()
        }
        #expect(error.faults.count == 1)
        #expect(error.faults[0].hasPrefix("kafka.properties \"\(name)\" (f:1) is refused: "))
    }

    @Test(
        arguments: [
            "enable.auto.commit", "isolation.level", "acks", "client.id", "group.id", "group.instance.id",
            "transactional.id", "request.required.acks", "metadata.broker.list", "auto.commit.enable",
        ]
    ) func `knows the properties and their other names`(name: String) {
        #expect(KafkaProperties.refusal(of: name) != nil)
    }

    @Test(
        arguments: [
            "security.protocol", "sasl.mechanism", "sasl.password", "ssl.ca.location", "linger.ms", "compression.type",
            "session.timeout.ms", "heartbeat.interval.ms", "queued.min.messages", "socket.keepalive.enable", "debug",
            "retry.backoff.ms", "client.rack",
        ]
    ) func `takes the others`(name: String) {
        #expect(KafkaProperties.refusal(of: name) == nil)
    }

    @Test func `never prints a secret`() throws {
        let file = """
            {kafka: {properties: {'sasl.password': 'hush-1', 'ssl.key.password': 'hush-2', 'ssl.key.pem': 'hush-3',
             'sasl.oauthbearer.client.secret': 'hush-4', 'ssl.keystore.password': 'hush-5',
             'sasl.oauthbearer.config': 'hush-6', 'sasl.oauthbearer.assertion.private.key.passphrase': 'hush-7',
             'https.proxy': 'http://user:hush-9@proxy:1', 'security.protocol': 'sasl_ssl'}}, apns: {proxy: 'http://user:hush-8@proxy:1'}}
            """
        let configuration = try ConfigurationReader(file: (path: "f", bytes: Array(file.utf8))).read().configuration
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in [
            "\(configuration)", String(reflecting: configuration), dumped, "\(configuration.kafka.properties)",
        ] {
            #expect(!text.contains("hush"))
            #expect(text.contains("sasl_ssl"))
        }
        #expect(configuration.kafka.properties["sasl.password"] == "hush-1")
        #expect(configuration.apns.proxy?.value == "http://user:hush-8@proxy:1")
    }

    @Test func `refuses a secret on the command line, and does not repeat it`() throws {
        let flags = ["kafka-properties": "{'sasl.password': 'hush'}"]
        let error = try #require(throws: ConfigurationError.self) { _ = try ConfigurationReader(flags: flags).read() }
        #expect(
            error.faults
                == ["kafka.properties \"sasl.password\" is a secret: set it in the file or in GEOPUSH_KAFKA_PROPERTIES"]
        )
    }

    @Test func `takes numbers and truth values as librdkafka writes them`() throws {
        let file = "{kafka: {properties: {'linger.ms': 5, 'check.crcs': true, 'a': 'b'}}}"
        let configuration = try ConfigurationReader(file: (path: "f", bytes: Array(file.utf8))).read().configuration
        #expect(configuration.kafka.properties == KafkaProperties(["linger.ms": "5", "check.crcs": "true", "a": "b"]))
    }

    @Test func `tells the session timeout that is set`() throws {
        #expect(Configuration().kafka.sessionTimeoutMillis == 10_000)
    }
}
