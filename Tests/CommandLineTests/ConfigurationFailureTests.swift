import BlockingTestSupport
import CommandLineTestSupport
import Cryptography
import Testing

/// What a worker says of a configuration that it cannot use: one sentence, and exit code 78.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct ConfigurationFailureTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func failure(_ configuration: String, _ words: String...) throws -> String {
        let path = try directory.write(configuration, to: "c.json5")
        let command = try Command(["worker", "--config", path] + words)
        #expect(try command.wait() == 78)
        #expect(command.output.isEmpty)
        return command.errors
    }

    private func apps(keyFile: String) -> String {
        "{apps: [{id: 'shop', topic: 'com.example.shop', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0', keyFile: '\(keyFile)'}]}"
    }

    @Test func `a file that is not there`() throws {
        let run = try Command.run("worker", "--config", "/nowhere/c.json5")
        #expect(run.code == 78)
        #expect(
            run.errors
                == "Error: the configuration /nowhere/c.json5 cannot be read (open: No such file or directory): "
                + "check the path after --config\n"
        )
    }

    @Test func `a file that is not JSON5`() throws {
        #expect(
            try failure("{kafka: {\n  topicPrefix 'x'}}").hasSuffix(
                "c.json5, line 2, column 15: expected \":\" after a name, found \"'\"\n"
            )
        )
    }

    @Test func `a key that is unknown`() throws {
        #expect(try failure("{delivery: {lane: 1}}").contains("unknown key \"delivery.lane\""))
        #expect(try failure("{delivery: {lane: 1}}").contains("did you mean delivery.lanes?"))
    }

    @Test func `several faults at once, in three spellings`() throws {
        let path = try directory.write("{delivery: {lanes: 0}}", to: "c.json5")
        let command = try Command(
            ["worker", "--config", path, "--log-level", "loud"],
            environment: ["GEOPUSH_FANOUT_MAX_LAG": "x"]
        )
        #expect(try command.wait() == 78)
        #expect(command.errors.split(separator: "\n").count == 3)
        for name in ["delivery.lanes", "fanout.maxLag", "log.level"] {
            #expect(command.errors.contains("invalid \(name) "))
        }
    }

    @Test func `a librdkafka property that would break a guarantee`() throws {
        let errors = try failure("{kafka: {properties: {'enable.auto.commit': true}}}")
        #expect(errors.contains("kafka.properties \"enable.auto.commit\""))
        #expect(errors.contains("is refused: an offset is committed only after its receipts are acknowledged"))
    }

    @Test func `a secret is not repeated`() throws {
        let text = "{kafka: {properties: {'sasl.password': 'hush', 'acks': 'hush'}}, apns: {proxy: 'ftp://u:hush@p:1'}}"
        #expect(try !failure(text).contains("hush"))
    }

    @Test func `no app`() throws {
        #expect(try failure("{}") == "Error: no app is configured: name at least one with its key under apps\n")
    }

    @Test func `a key file that is not there`() throws {
        let errors = try failure(apps(keyFile: "/nowhere/key.p8"))
        #expect(errors.hasPrefix("Error: app \"shop\": /nowhere/key.p8: "))
        #expect(errors.contains("No such file"))
    }

    @Test(
        arguments: [
            ("", "empty"), ("no key\n", "PEM"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "CERTIFICATE"),
        ]
    ) func `a key file that holds no key`(content: String, word: String) throws {
        let key = try directory.write(content, to: "key.p8")
        let errors = try failure(apps(keyFile: key))
        #expect(errors.hasPrefix("Error: app \"shop\": \(key): "))
        #expect(errors.contains(word))
        #expect(errors.split(separator: "\n").count == 1)
    }

    @Test func `a certificate authority that is not there`() throws {
        let key = try directory.write(try P256.SigningKey().pem(), to: "key.p8")
        let errors = try failure(apps(keyFile: key), "--apns-ca-file", "/nowhere/ca.pem")
        #expect(
            errors
                == "Error: apns.caFile /nowhere/ca.pem cannot be read (open: No such file or directory): check its path and permissions\n"
        )
    }
}
