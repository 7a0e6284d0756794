/// A named source of log entries, with the levels and words of swift-log.
///
/// The message is constant text; what varies stands in the metadata, under dotted keys such as `kafka.topic`.
/// Neither is built when the level is off. Device tokens and keys never stand in a log.
public struct Logger: Sendable {
    /// How much an entry matters; `error` means that someone should act.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case trace, debug, info, notice, warning, error, critical

        private var rank: Int {
            switch self {
            case .trace: 0
            case .debug: 1
            case .info: 2
            case .notice: 3
            case .warning: 4
            case .error: 5
            case .critical: 6
            }
        }

        /// Orders levels by how much they matter.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
    }

    /// The values of one entry, in order.
    public typealias Metadata = KeyValuePairs<String, String>

    /// Who speaks, such as `geopush.delivery`.
    public let label: String
    private let output: LogOutput

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - label: Who speaks.
    ///   - output: Where entries go; the process's own by default.
    public init(label: String, output: LogOutput = .process) {
        self.label = label
        self.output = output
    }

    /// Writes one entry if its level is on.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: Constant text.
    ///   - metadata: What varies.
    public func log(_ level: Level, _ message: @autoclosure () -> String, _ metadata: @autoclosure () -> Metadata = [:])
    {
        guard output.isEnabled(level) else { return }
        output.write(level: level, label: label, message: message(), metadata: metadata())
    }

    /// Writes an entry at `debug`.
    public func debug(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.debug, message(), metadata())
    }

    /// Writes an entry at `info`.
    public func info(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.info, message(), metadata())
    }

    /// Writes an entry at `notice`: normal, and worth seeing.
    public func notice(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.notice, message(), metadata())
    }

    /// Writes an entry at `warning`.
    public func warning(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.warning, message(), metadata())
    }

    /// Writes an entry at `error`: someone should act.
    public func error(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.error, message(), metadata())
    }

    /// Writes an entry at `critical`: the process cannot go on.
    public func critical(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.critical, message(), metadata())
    }
}
