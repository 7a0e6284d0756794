import BlockingTestSupport
import CommandLineTestSupport
import Cryptography
import EventLoop
import Glibc
import Kafka
import KafkaTestSupport
import Testing

/// `geopush doctor` names what is broken; a healthy whole needs a real Kafka.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct DoctorCommandTests {
    /// An address where nobody listens.
    private static let nobody = "127.0.0.1:1"
    private static let topics = [
        "location-events", "campaign-events", "device-events", "unregistered", "fanout", "jobs", "scheduled", "pushes",
        "receipts", "dead-letters",
    ]

    private static let checks: [String] = [
        "configuration", "disk", "descriptors", "app shop", "librdkafka", "kafka", "apns",
    ]

    /// Runs it with one thing broken, and without a Kafka.
    private func wrong(
        key: String? = nil,
        _ words: [String] = [],
        configuration: String = ""
    ) throws -> [String] {
        let checkup = try Checkup(key: key ?? P256.SigningKey().pem())
        let run = try checkup.run(Self.nobody, words, configuration: configuration)
        #expect(run.code == 1)
        #expect(run.lines.last?.hasSuffix(" wrong.") == true)
        return run.wrong.filter { !$0.hasPrefix("kafka: ") }
    }

    @Test func `no broker, and all else is well`() throws {
        let run = try Checkup(key: P256.SigningKey().pem()).run(Self.nobody)
        #expect(run.code == 1)
        #expect(run.wrong.count == 1)
        #expect(run.wrong[0].hasPrefix("kafka: 127.0.0.1:1 does not answer (_TRANSPORT: "))
        #expect(
            run.wrong[0].hasSuffix(
                "check kafka.bootstrapServers, that it runs, and security.protocol in kafka.properties"
            )
        )
        let names = run.lines.dropLast().map { String($0.dropFirst(7).prefix { $0 != ":" }) }
        #expect(names == Self.checks)
    }

    @Test func `an unknown key of the configuration`() throws {
        let found = try wrong(configuration: "delivery: {lane: 1}")
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("configuration: unknown key \"delivery.lane\" in "))
        #expect(found[0].hasSuffix("did you mean delivery.lanes?"))
    }

    @Test func `a configuration that is not there`() throws {
        let run = try Command.run("doctor", "--config", "/nowhere/c.json5")
        #expect(run.code == 1)
        #expect(run.output.hasPrefix("wrong  configuration: the configuration /nowhere/c.json5 cannot be read"))
    }

    @Test func `no app`() throws {
        #expect(try wrong(["--apps", "[]"]) == ["apps: none is configured: name at least one with its key under apps"])
    }

    @Test(
        arguments: [
            (BrokenKeys.otherCurve, "the key is on the curve secp384r1: expected P-256"),
            (BrokenKeys.encrypted, "the key is encrypted: expected a key without a pass phrase"),
            ("", "the key file is empty"),
        ]
    ) func `a key of another kind`(key: String, message: String) throws {
        let found = try wrong(key: key)
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("app shop: /"))
        #expect(found[0].contains(message))
    }

    @Test func `a key file that is not there`() throws {
        let app = "{id: 'a', topic: 't', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0', keyFile: '/nowhere/key.p8'}"
        let found = try wrong(["--apps", "[\(app)]"])
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("app a: /nowhere/key.p8: the key file cannot be read (No such file or directory)"))
    }

    @Test func `an APNs where nobody listens`() throws {
        let found = try wrong(["--apns-endpoints-sandbox", Self.nobody])
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("apns sandbox: 127.0.0.1:1: refused: "))
        #expect(found[0].contains("check apns.endpoints"))
    }

    @Test func `a wrong certificate authority`() throws {
        let found = try wrong(["--apns-ca-file", ""])
        #expect(found.count == 1)
        #expect(found[0].contains(": certificate: "))
        #expect(found[0].hasSuffix("install ca-certificates, or set apns.caFile for a simulator"))
    }

    @Test func `a proxy where nobody listens`() throws {
        let found = try wrong(["--apns-proxy", "http://u:hush@127.0.0.1:1"])
        #expect(found.count == 1)
        #expect(found[0].contains(": proxy: "))
        #expect(!found[0].contains("hush"))
    }

    @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0, "needs the program openssl"))
    func `an APNs without HTTP/2`() throws {
        let checkup = try Checkup(key: P256.SigningKey().pem())
        let tls = "\(checkup.directory.path)/tls"
        let server = try Command(
            ["s_server", "-accept", "0", "-www", "-cert", "\(tls)/server.pem", "-key", "\(tls)/server.key"],
            program: "/usr/bin/openssl"
        )
        defer { server.send(SIGKILL) }
        try server.wait(for: "ACCEPT ")
        let port =
            server.output.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }?.split(separator: ":").last ?? ""
        let run = try checkup.run(Self.nobody, ["--apns-endpoints-production", "127.0.0.1:\(port)"])
        let found = run.wrong.filter { $0.hasPrefix("apns production: ") }
        #expect(found.count == 1)
        #expect(found.first?.contains("does not offer HTTP/2 (ALPN h2)") == true)
    }

    @Test func `a state directory below a file`() throws {
        // An executable one, which a look at the permissions alone takes for a folder.
        let file = CommandLine.arguments[0]
        let found = try wrong(["--registry-state-directory", file + "/state"])
        #expect(found == ["disk: \(file) cannot be written to: allow it, or set registry.stateDirectory"])
    }

    @Test func `a state directory that is full or closed`() throws {
        #expect(
            try wrong(["--registry-state-directory", "/proc/1"])
                .contains { $0.hasPrefix("disk: ") && $0.hasSuffix("set registry.stateDirectory") }
        )
    }

    @Test(
        arguments: [
            ("ssl", "ssl://", "security.protocol in kafka.properties"),
            ("sasl_plaintext", "(_AUTHENTICATION: ", "check sasl.mechanism, sasl.username and sasl.password"),
        ]
    ) func `a Kafka that wants another security protocol`(name: String, error: String, advice: String) throws {
        let cluster = try MockCluster()
        let login = "'sasl.mechanism': 'PLAIN', 'sasl.username': 'u', 'sasl.password': 'hush'"
        let command = try Command(
            ["doctor", "--kafka-bootstrap-servers", cluster.bootstrapServers, "--apns-endpoints-sandbox", Self.nobody],
            environment: [
                "GEOPUSH_KAFKA_PROPERTIES": "{'security.protocol': '\(name)', \(login)}",
                "GEOPUSH_APNS_ENDPOINTS_PRODUCTION": Self.nobody,
            ]
        )
        #expect(try command.wait() == 1)
        let line = try #require(command.output.split(separator: "\n").first { $0.hasPrefix("wrong  kafka: ") })
        #expect(line.contains(error))
        #expect(line.contains(advice))
        #expect(!command.output.contains("hush"))
    }

    @Test func `topics that are missing`() throws {
        let cluster = try MockCluster()
        for topic in Self.topics where topic != "receipts" {
            try cluster.createTopic("geopush.\(topic)", partitions: 1)
        }
        let run = try Checkup(key: P256.SigningKey().pem()).run(cluster.bootstrapServers)
        #expect(run.code == 1)
        #expect(run.wrong.contains("topic geopush.receipts: missing: make it with geopush topics create"))
        #expect(run.wrong.count { $0.contains("missing") } == 1)
    }

    @Test func `a clock that is behind`() throws {
        let cluster = try MockCluster()
        try cluster.createTopic("geopush.receipts", partitions: 2)
        let producer = try Producer(cluster.settings("doctor-test"), signal: nil)
        let topic = try producer.topic("geopush.receipts")
        let result = producer.produce(
            to: topic,
            partition: 1,
            key: nil,
            value: nil,
            headers: [],
            timestampMillis: Clock.wallMillis() + 600_000
        )
        #expect(result == .queued)
        #expect(producer.flush(timeoutMillis: 10_000))
        let run = try Checkup(key: P256.SigningKey().pem()).run(cluster.bootstrapServers)
        #expect(run.wrong.contains { $0.hasPrefix("clock: geopush.receipts/1/0 is from 5") }, "\(run.lines)")
    }

    @Test func `prints one JSON object a line`() throws {
        let run = try Checkup(key: P256.SigningKey().pem()).run(Self.nobody, ["--json"])
        #expect(run.code == 1)
        #expect(run.lines.count == Self.checks.count)
        #expect(run.lines[0].hasPrefix(#"{"check":"configuration","ok":true,"text":""#))
        #expect(run.lines.count { $0.contains(#","ok":false,"#) } == 1)
    }
}

/// Keys that protect nothing, and that APNs does not take.
private enum BrokenKeys {
    /// openssl ecparam -name secp384r1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt
    static let otherCurve = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAaxLXSDPEqd2EyB+2Q
        mnlJTLwFfWNsuNbMV2BjtTdUp1Aqz/3uv/gX9ZK2xcirlLqhZANiAAQ6gbtOxd8L
        76O2iVS80/RKBXaKxIU7IHr27Ei20gTaEV4kzdnDzDWleaGFTcbEkap0TrkryUtg
        4mb2FNjCwUv31apjrHgW0gZPqpE9UU4FVY0FXvCG9id3kmAPdY1Y2ts=
        -----END PRIVATE KEY-----
        """

    /// openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -passout pass:x
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgE3plUbD5q3QICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHHjJmIK01i6QP3G7Cxka/QEgZBR
        ci8XCQLCnJgRuEL5xumDKW8Ol/v3X1ivEy4Wi79vHFhY+Yd0jKEKwFYAZVvaXTkZ
        AoNSsBeRZmlkSn4INipu0joyBgwEDUDJ1YxGcl1OF4zeOorQ30u5rm9e/tVVYFxJ
        tKdXbtRKxb8Q/05FRatsUJ17AGABEdZgO8khXfLtO9HuOZKAz+ibjPAay+lCMPs=
        -----END ENCRYPTED PRIVATE KEY-----
        """
}
