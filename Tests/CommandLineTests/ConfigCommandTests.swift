import BlockingTestSupport
import CommandLineTestSupport
import Operations
import Testing

/// `geopush config`.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct ConfigCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `shows every key with where its value comes from`() throws {
        let path = try directory.write("{\n kafka: {properties: {'sasl.password': 'hush'}}}", to: "c.json5")
        let command = try Command(
            ["config", "--config", path, "--log-format", "text"],
            environment: ["GEOPUSH_DELIVERY_LANES": "3"]
        )
        #expect(try command.wait() == 0)
        let rows = command.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.first == ["KEY", "FROM", "VALUE"])
        #expect(rows.dropFirst().map(\.[0]) == ConfigurationKey.all.map(\.name))
        for row in [
            ["delivery.lanes", "GEOPUSH_DELIVERY_LANES", "3"], ["log.format", "--log-format", "text"],
            ["kafka.topicPrefix", "default", "geopush."], ["kafka.instanceId", "default", "-"],
            ["kafka.properties", "\(path):2", #"{"sasl.password":"<redacted>"}"#],
        ] {
            #expect(rows.contains(row), "\(row)")
        }
        #expect(!command.output.contains("hush"))
    }

    @Test func `prints one JSON object a line`() throws {
        let run = try Command.run("config", "--json", "--delivery-lanes", "3")
        #expect(run.code == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == ConfigurationKey.all.count)
        #expect(lines.contains(#"{"key":"delivery.lanes","value":3,"source":"flag","from":"--delivery-lanes"}"#))
        #expect(lines.contains(#"{"key":"kafka.instanceId","value":null,"source":"default","from":null}"#))
    }

    @Test func `names every fault, and warns of odd variables`() throws {
        let path = try directory.write("{delivery: {\n lane: 1}}", to: "c.json5")
        let run = try Command.run("config", "--config", path, "--fanout-max-lag", "x")
        #expect(run.code == 78)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("unknown key \"delivery.lane\" in \(path):2: did you mean delivery.lanes?"))
        #expect(run.errors.contains("invalid fanout.maxLag \"x\" (--fanout-max-lag)"))
        let odd = try Command.run("config", environment: ["GEOPUSH_DELIVERY_LANE": "3"])
        #expect(odd.errors.hasPrefix("Warning: the variable GEOPUSH_DELIVERY_LANE is no key"))
    }
}
