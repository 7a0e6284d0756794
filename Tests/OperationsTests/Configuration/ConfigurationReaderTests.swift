import Testing

@testable import Operations

/// A value of each key that differs from its default, as the file writes it.
private let samples: [String: String] = [
    "kafka.bootstrapServers": "'a:1,b:2'", "kafka.topicPrefix": "'x.'", "kafka.groupPrefix": "'y.'",
    "kafka.instanceId": "'z'", "kafka.properties": "{'security.protocol': 'ssl', 'fetch.min.bytes': 5}",
    "apns.endpoints.production": "'localhost:2197'", "apns.endpoints.sandbox": "'[::1]:2198'",
    "apns.caFile": "'ca.pem'",
    "apns.proxy": "'http://proxy:3128'", "apns.connectionsPerLane": "7", "apns.requestTimeoutSeconds": "3",
    "apps": "[{id: 'a', topic: 'b', teamId: 'c', keyId: 'd', keyFile: 'e', pushesTopic: 'f'}]", "delivery.lanes": "5",
    "delivery.inFlight": "10", "delivery.retry.baseSeconds": "0.5", "delivery.retry.maxSeconds": "7.5",
    "delivery.retry.maxHoldSeconds": "0", "registry.stateDirectory": "'/state'", "fanout.maxLag": "9",
    "receipts.token": "'hash'", "operations.listen": "'127.0.0.1:0'", "operations.shutdownGraceSeconds": "0",
    "log.level": "'debug'", "log.format": "'text'",
]

private func reader(file: String) -> ConfigurationReader {
    ConfigurationReader(file: (path: "f.json5", bytes: Array(file.utf8)))
}

private func faults(_ reader: ConfigurationReader) -> [String] {
    do {
        _ = try reader.read()
        return []
    } catch {
        return error.faults
    }
}

@Suite struct ConfigurationReaderTests {
    @Test func `gives the defaults where nothing is said`() throws {
        #expect(try ConfigurationReader().read().configuration == Configuration())
        #expect(try reader(file: "{}").read().configuration == Configuration())
    }

    @Test(arguments: ConfigurationKey.all.map(\.name))
    func `takes each key in three spellings`(name: String) throws {
        let key = try #require(ConfigurationKey.named(name))
        let sample = try #require(samples[name])
        let plain = sample.hasPrefix("'") ? String(sample.dropFirst().dropLast()) : sample
        let parts = name.split(separator: ".")
        let file = parts.reversed().reduce(sample) { "{\($1): \($0)}" }
        let fromFile = try reader(file: file).read().configuration
        #expect(fromFile != Configuration())
        #expect(
            try ConfigurationReader(environment: [key.environmentName: plain]).read().configuration == fromFile
        )
        #expect(try ConfigurationReader(flags: [key.flag: plain]).read().configuration == fromFile)
    }

    @Test func `spells keys as flags and variables do`() throws {
        let key = try #require(ConfigurationKey.named("kafka.bootstrapServers"))
        #expect(key.flag == "kafka-bootstrap-servers")
        #expect(key.environmentName == "GEOPUSH_KAFKA_BOOTSTRAP_SERVERS")
        #expect(ConfigurationKey.named("apns.caFile")?.flag == "apns-ca-file")
        #expect(ConfigurationKey.named("delivery.retry.maxHoldSeconds")?.flag == "delivery-retry-max-hold-seconds")
        #expect(Set(ConfigurationKey.all.map(\.flag)).count == ConfigurationKey.all.count)
    }

    @Test func `lets a flag win over the environment, and that over the file`() throws {
        let file = (path: "f", bytes: Array("{delivery: {lanes: 3, inFlight: 3}, fanout: {maxLag: 3}}".utf8))
        let environment = ["GEOPUSH_DELIVERY_LANES": "4", "GEOPUSH_DELIVERY_IN_FLIGHT": "4"]
        let reader = ConfigurationReader(file: file, environment: environment, flags: ["delivery-lanes": "5"])
        let configuration = try reader.read().configuration
        #expect(configuration.delivery.lanes == 5)
        #expect(configuration.delivery.inFlight == 4)
        #expect(configuration.fanout.maxLag == 3)
    }

    @Test func `takes an empty variable for none`() throws {
        let environment = ["GEOPUSH_DELIVERY_LANES": "", "GEOPUSH_KAFKA_TOPIC_PREFIX": ""]
        #expect(try ConfigurationReader(environment: environment).read().configuration == Configuration())
    }

    @Test func `takes null in the file for the default`() throws {
        let file = "{kafka: null, delivery: {lanes: null}, apps: null, log: {level: null}}"
        #expect(try reader(file: file).read().configuration == Configuration())
    }

    @Test func `takes an optional text that is empty for none`() throws {
        let flags = ["apns-ca-file": "", "apns-proxy": "", "kafka-instance-id": "", "operations-listen": ""]
        let environment = ["GEOPUSH_APNS_CA_FILE": "a", "GEOPUSH_APNS_PROXY": "http://p:1"]
        #expect(
            try ConfigurationReader(environment: environment, flags: flags).read().configuration == Configuration()
        )
    }

    @Test(
        arguments: [
            ("{delivery: {lane: 1}}", #"unknown key "delivery.lane" in f.json5:1: did you mean delivery.lanes?"#),
            ("{Delivery: {lanes: 1}}", #"unknown key "Delivery" in f.json5:1"#),
            ("{'delivery.lanes': 1, wholly: 2}", #"unknown key "wholly" in f.json5:1"#),
            ("{delivery: 3}", "invalid delivery in f.json5:1: found a whole number, expected an object"),
            ("{delivery: {lanes: 0}}", #"invalid delivery.lanes "0" (f.json5:1): expected integer, 1...64"#),
            ("{delivery: {lanes: 65}}", #"invalid delivery.lanes "65" (f.json5:1): expected integer, 1...64"#),
            ("{delivery: {lanes: 1.5}}", #"invalid delivery.lanes "1.5" (f.json5:1): expected integer, 1...64"#),
            ("{delivery: {lanes: '2'}}", #"invalid delivery.lanes "2" (f.json5:1): expected integer, 1...64"#),
            (
                "{delivery: {retry: {baseSeconds: 0}}}",
                #"invalid delivery.retry.baseSeconds "0" (f.json5:1): expected number, 0.01...3600"#
            ),
            (
                "{delivery: {retry: {baseSeconds: 9, maxSeconds: 8}}}",
                "invalid delivery.retry: baseSeconds 9.0 is over maxSeconds 8.0"
            ),
            (
                "{log: {level: 'loud'}}",
                #"invalid log.level "loud" (f.json5:1): expected trace or debug or info or notice or warning or error or critical"#
            ),
            (
                "{kafka: {topicPrefix: 'a b'}}",
                #"invalid kafka.topicPrefix "a b" (f.json5:1): expected at most 100 of the letters, digits and . _ - that Kafka allows in names"#
            ),
            (
                "{kafka: {bootstrapServers: ''}}",
                #"invalid kafka.bootstrapServers "" (f.json5:1): expected host:port, several separated by commas"#
            ),
            (
                "{apns: {endpoints: {production: 'host'}}}",
                #"invalid apns.endpoints.production "host" (f.json5:1): expected host:port with a port of 1...65535"#
            ),
            (
                "{apns: {endpoints: {production: 'host:0'}}}",
                #"invalid apns.endpoints.production "host:0" (f.json5:1): expected host:port with a port of 1...65535"#
            ),
            (
                "{apns: {proxy: 'https://u:pass@p'}}",
                "invalid apns.proxy <redacted> (f.json5:1): expected http://host:port"
            ),
            (
                "{kafka: {bootstrapServers: 'SASL_SSL://u:pass@broker:9092'}}",
                "invalid kafka.bootstrapServers <redacted> (f.json5:1): expected host:port, several separated by commas"
            ),
            (
                "{apns: {caFile: '-----BEGIN PRIVATE KEY-----'}}",
                "invalid apns.caFile <redacted> (f.json5:1): expected the path of a file or folder, not what stands in it"
            ),
            ("{apns: {caFile: 1}}", #"invalid apns.caFile "1" (f.json5:1): expected path"#),
            ("[1]", "f.json5 holds a list: expected an object of settings"),
            ("{a: 1\n b: 2}", #"f.json5, line 2, column 2: expected "," or "}", found "b""#),
            (
                "{kafka: {properties: 1}}",
                "invalid kafka.properties (f.json5:1): found a whole number, expected an object"
            ),
            (
                "{kafka: {properties: {'linger.ms': [1]}}}",
                #"kafka.properties "linger.ms" (f.json5:1) is a list: expected a single value"#
            ),
        ]
    ) func `says what is wrong with a file`(file: String, fault: String) {
        #expect(faults(reader(file: file)).contains(fault))
    }

    @Test func `says all faults at once`() {
        let file = (path: "f", bytes: Array("{delivery: {lanes: 0, inFlight: 0}, log: {form: 'x'}}".utf8))
        let reader = ConfigurationReader(
            file: file,
            environment: ["GEOPUSH_FANOUT_MAX_LAG": "many"],
            flags: ["log-level": "x", "apps": "[1"]
        )
        let found = faults(reader)
        #expect(found.count == 6)
        #expect(
            found.contains(#"invalid fanout.maxLag "many" (GEOPUSH_FANOUT_MAX_LAG): expected integer, 1...1000000000"#)
        )
        #expect(found.contains(#"invalid apps (--apps), column 3: expected "," or "]", found the end"#))
    }

    @Test func `warns of a variable that is almost a key`() throws {
        let environment = [
            "GEOPUSH_DELIVERY_LANE": "3", "GEOPUSH_SERVICE_HOST": "10.0.0.1", "GEOPUSH_PORT": "tcp://10.0.0.1:80",
            "GEOPUSH_TEST_BOOTSTRAP": "x", "PATH": "/bin",
        ]
        #expect(
            try ConfigurationReader(environment: environment).read().warnings
                == ["the variable GEOPUSH_DELIVERY_LANE is no key: did you mean GEOPUSH_DELIVERY_LANES?"]
        )
    }
}
