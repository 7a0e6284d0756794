import Testing

@testable import Operations

/// Config/geopush.json5, README.md and `--help` say what the table of keys says.
@Suite struct ConfigurationDocumentTests {
    private func paths(_ value: JSONValue, _ parent: String = "") -> [String] {
        guard case .object(let members) = value, ConfigurationKey.named(parent) == nil else { return [parent] }
        return members.flatMap { paths($0.value, parent.isEmpty ? $0.key : "\(parent).\($0.key)") }
    }

    @Test func `the file names every key and no other`() throws {
        let document = try JSON5Document.parse(Array(Repository.text("Config/geopush.json5").utf8))
        #expect(paths(document).sorted() == ConfigurationKey.all.map(\.name).sorted())
    }

    @Test func `the file holds the defaults`() throws {
        let text = try Repository.text("Config/geopush.json5")
        let read = try ConfigurationReader(file: (path: "f", bytes: Array(text.utf8))).read()
        #expect(read.configuration == Configuration())
    }

    @Test(arguments: ConfigurationKey.all.map(\.name))
    func `the file and the README explain a key as the table does`(name: String) throws {
        let key = try #require(ConfigurationKey.named(name))
        let lines = try Repository.text("Config/geopush.json5").split(separator: "\n").map {
            $0.trimmingPrefix { $0 == " " }
        }
        let last = String(name.split(separator: ".").last ?? "")
        let line = try #require(lines.firstIndex { $0.hasPrefix("\(last): ") })
        #expect(lines[..<line].contains { $0 == "// \(key.help)" })
        let row =
            "| `\(name)` | \(key.typeText) | \(key.defaultText.isEmpty ? "" : "`\(key.defaultText)`") | \(key.help) |"
        #expect(try Repository.text("README.md").contains(row))
    }

    @Test func `the README names every key and no other`() throws {
        let lines = try Repository.text("README.md").split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "| Key | Type | Default | Effect |"))
        let rows = lines[start...].dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(rows.map { $0.split(separator: "`")[1] } == ConfigurationKey.all.map { $0.name[...] })
    }

    @Test func `the default of each key is what the table says`() throws {
        for key in ConfigurationKey.all where !key.defaultText.isEmpty {
            let isWords = ["min(cores, 2)", "/var/tmp/geopush/{instance}"].contains(key.defaultText)
            guard !isWords else { continue }
            let read = try ConfigurationReader(flags: [key.flag: key.defaultText]).read()
            #expect(read.configuration == Configuration(), "\(key.name)")
        }
        #expect(Configuration().registry.directory(instance: "i") == "/var/tmp/geopush/i")
        #expect([0, 1, 2, 64].map { Configuration.Delivery.lanesByDefault(cores: $0) } == [1, 1, 2, 2])
    }

    @Test func `the options are the keys`() {
        let options = Configuration.allOptions
        #expect(options.map(\.name) == ["config"] + ConfigurationKey.all.map(\.flag))
        for (option, key) in zip(options.dropFirst(), ConfigurationKey.all) {
            #expect(option.help.hasPrefix(key.help), "\(key.name)")
        }
        #expect(Configuration.sharedOptions.map(\.name) == ["config", "kafka-bootstrap-servers", "kafka-topic-prefix"])
    }

    @Test func `each explanation is one sentence`() {
        for key in ConfigurationKey.all {
            #expect(key.help.hasSuffix("."), "\(key.name)")
            #expect(key.help.utf8.count <= 110, "\(key.name)")
        }
    }
}
