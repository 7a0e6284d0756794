import Observability
import Synchronization
import Testing

@Suite struct LoggerTests {
    private final class Lines: Sendable {
        private let value = Mutex<[String]>([])
        func add(_ bytes: [UInt8]) { value.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
        var all: [String] { value.withLock { $0 } }
    }

    private func logger(_ lines: Lines, level: Logger.Level = .notice, format: LogOutput.Format = .text) -> Logger {
        Logger(label: "test", output: LogOutput(level: level, format: format) { lines.add($0) })
    }

    @Test func `writes nothing below its level and does not build it`() {
        let lines = Lines()
        let log = logger(lines, level: .warning)
        func unwanted() -> String {
            Issue.record("built a message that is not written")
            return ""
        }
        log.notice(unwanted(), ["key": unwanted()])
        log.warning("seen")
        #expect(lines.all.count == 1)
    }

    @Test func `a text line holds message and metadata in order`() throws {
        let lines = Lines()
        logger(lines).error("it failed", ["kafka.topic": "pushes", "reason": "two words"])
        let line = try #require(lines.all.first)
        #expect(line.hasSuffix(#" error test: it failed kafka.topic=pushes reason="two words""# + "\n"))
    }

    @Test func `a JSON line is one object on one line whatever the values hold`() throws {
        let lines = Lines()
        logger(lines, format: .json).notice("line\nfeed", ["quote\"": "\u{01}\\\t"])
        let line = try #require(lines.all.first)
        #expect(line.hasPrefix(#"{"ts":""#))
        #expect(line.hasSuffix(#""label":"test","msg":"line\nfeed","quote\"":"\u0001\\\t"}"# + "\n"))
        #expect(line.filter { $0 == "\n" }.count == 1)
    }

    @Test func `levels are ordered by how much they matter`() {
        #expect(Logger.Level.allCases == Logger.Level.allCases.sorted())
    }
}
