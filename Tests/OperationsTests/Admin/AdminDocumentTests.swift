import Observability
import Pipeline
import Testing

/// README.md says of the admin endpoint what the code says.
struct AdminDocumentTests {
    @Test(arguments: Worker.metrics.map(\.name))
    func `the README explains a metric as its description does`(name: String) throws {
        let metric = try #require(Worker.metrics.first { $0.name == name })
        let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
        let row = "| `\(name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help) |"
        #expect(try Repository.text("README.md").contains(row))
    }

    @Test func `the README names no metric that is not there`() throws {
        let rows = try Repository.text("README.md").split(separator: "\n").filter { $0.hasPrefix("| `geopush_") }
        #expect(rows.map { $0.dropFirst(3).prefix { $0 != "`" } } == Worker.metrics.map { $0.name[...] })
    }

    @Test(arguments: ReadinessReason.Code.allCases)
    func `the README explains a reason`(code: ReadinessReason.Code) throws {
        #expect(try Repository.text("README.md").contains("| `\(code.rawValue)` | \(code.meaning) |"))
    }

    @Test(arguments: Worker.metrics.map(\.name))
    func `a metric is named and explained as all are`(name: String) throws {
        let metric = try #require(Worker.metrics.first { $0.name == name })
        #expect(name.hasPrefix("geopush_"))
        #expect(name.hasSuffix("_total") == (metric.kind == .counter))
        #expect(metric.kind != .histogram || name.hasSuffix("_seconds"))
        #expect(metric.help.hasSuffix(".") && !metric.help.contains("|"))
        // Whatever grows with devices, campaigns or places.
        for label in metric.labels { #expect(!["token", "device", "campaign", "location", "topic"].contains(label)) }
    }

    @Test func `no metric stands twice`() {
        #expect(Set(Worker.metrics.map(\.name)).count == Worker.metrics.count)
    }
}
