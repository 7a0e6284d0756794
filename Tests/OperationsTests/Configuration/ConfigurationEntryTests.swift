import Testing

@testable import Operations

/// What is said of each key's value and where it comes from.
@Suite struct ConfigurationEntryTests {
    private let file = """
        {
            kafka: {
                bootstrapServers: "a:1", properties: {"sasl.password": "hush",
                    "ssl.ca.location": "ca.pem"},
            },
            delivery: {lanes: 3, retry: {
                baseSeconds: 0.5}},
            apps: [{id: "a", topic: "log", teamId: "c", keyId: "d", keyFile: "e"}],
            log: {level: null},
        }
        """

    private func entries(
        environment: [String: String] = [:],
        flags: [String: String] = [:]
    ) throws -> [String: ConfigurationEntry] {
        let reader = ConfigurationReader(
            file: (path: "c.json5", bytes: Array(file.utf8)),
            environment: environment,
            flags: flags
        )
        return Dictionary(uniqueKeysWithValues: try reader.entries().map { ($0.key.name, $0) })
    }

    @Test func `has every key, in the order of the table`() throws {
        #expect(try ConfigurationReader().entries().map(\.key.name) == ConfigurationKey.all.map(\.name))
        #expect(try ConfigurationReader().entries().allSatisfy { $0.source == .byDefault })
    }

    @Test func `says the default where nothing is said`() throws {
        let entries = try entries()
        #expect(entries["log.level"]?.value == .string("notice"))
        #expect(entries["log.level"]?.source == .byDefault)
        #expect(entries["delivery.inFlight"]?.value == .integer(4000))
        #expect(entries["apns.proxy"]?.value == .null)
        #expect(entries["delivery.retry.maxSeconds"]?.value == .number(60))
    }

    @Test(
        arguments: [
            ("kafka.bootstrapServers", 3), ("kafka.properties", 3), ("delivery.lanes", 6),
            ("delivery.retry.baseSeconds", 7), ("apps", 8),
        ]
    ) func `names the line of the file`(name: String, line: Int) throws {
        #expect(try entries()[name]?.source == .file("c.json5", line: line))
    }

    @Test func `names the variable or the option that wins`() throws {
        let entries = try entries(
            environment: ["GEOPUSH_DELIVERY_LANES": "4", "GEOPUSH_FANOUT_MAX_LAG": "9"],
            flags: ["delivery-lanes": "5"]
        )
        #expect(entries["delivery.lanes"]?.value == .integer(5))
        #expect(entries["delivery.lanes"]?.source.description == "--delivery-lanes")
        #expect(entries["fanout.maxLag"]?.source.description == "GEOPUSH_FANOUT_MAX_LAG")
    }

    @Test func `shows no password`() throws {
        let entries = try entries(environment: ["GEOPUSH_APNS_PROXY": "http://u:hush@proxy:3128"])
        #expect(
            entries["kafka.properties"]?.value
                == .object(["sasl.password": .string("<redacted>"), "ssl.ca.location": .string("ca.pem")])
        )
        #expect(entries["apns.proxy"]?.value == .string("http://<redacted>@proxy:3128"))
        let variable = try self.entries(environment: [
            "GEOPUSH_KAFKA_PROPERTIES": "{'https.proxy': 'http://u:hush@p:1'}"
        ])
        #expect(variable["kafka.properties"]?.value == .object(["https.proxy": .string("<redacted>")]))
    }

    @Test func `shows a proxy without a password, and an empty text as unset`() throws {
        let entries = try entries(
            environment: ["GEOPUSH_APNS_PROXY": "http://proxy:3128"],
            flags: ["kafka-instance-id": ""]
        )
        #expect(entries["apns.proxy"]?.value == .string("http://proxy:3128"))
        #expect(entries["kafka.instanceId"]?.value == .null)
    }

    @Test func `throws what is wrong`() {
        #expect(throws: ConfigurationError.self) { try entries(flags: ["delivery-lanes": "0"]) }
    }
}
