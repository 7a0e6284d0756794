internal import EventLoop
internal import Glibc
internal import Synchronization

/// Where log entries go: one line each, written whole, as JSON or as text.
public final class LogOutput: Sendable {
    /// The form of a line.
    public enum Format: String, Sendable, CaseIterable {
        case json, text
    }

    private struct Settings {
        var level: Logger.Level
        var format: Format
    }

    /// The process's own output, on standard error.
    public static let process = LogOutput(level: .notice, format: .text) { line in
        _ = unsafe line.withUnsafeBytes { bytes in
            // A closed or full standard error must not stop the work.
            unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
        }
    }

    private let settings: Mutex<Settings>
    private let sink: @Sendable ([UInt8]) -> Void

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - level: The least level that is written.
    ///   - format: JSON or text.
    ///   - sink: Takes one line with its line feed; called on any thread.
    public init(level: Logger.Level, format: Format, sink: @escaping @Sendable ([UInt8]) -> Void) {
        self.settings = Mutex(Settings(level: level, format: format))
        self.sink = sink
    }

    /// Changes level and format from now on.
    public func configure(level: Logger.Level, format: Format) {
        settings.withLock { $0 = Settings(level: level, format: format) }
    }

    func isEnabled(_ level: Logger.Level) -> Bool {
        settings.withLock { level >= $0.level }
    }

    func write(level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        let time = Timestamp.rfc3339(millis: Clock.wallMillis())
        var line = ""
        switch settings.withLock({ $0.format }) {
        case .json:
            line +=
                "{\"ts\":\"\(time)\",\"level\":\"\(level.rawValue)\",\"label\":\(quoted(label)),\"msg\":\(quoted(message))"
            for (key, value) in metadata { line += ",\(quoted(key)):\(quoted(value))" }
            line += "}\n"
        case .text:
            line += "\(time) \(level.rawValue) \(label): \(message)"
            for (key, value) in metadata { line += " \(key)=\(plain(value))" }
            line += "\n"
        }
        sink(Array(line.utf8))
    }

    private func plain(_ value: String) -> String {
        value.utf8.contains { $0 <= 0x20 || $0 == 0x22 } || value.isEmpty ? quoted(value) : value
    }

    private func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "\r": out += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
