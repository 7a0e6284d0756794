/// What a metric is: its name, its kind and what it means.
public struct MetricDescription: Equatable, Sendable {
    /// The kinds of metrics, as Prometheus names them.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// Its name: counters end in `_total`, times in `_seconds`.
    public let name: String
    /// Its kind.
    public let kind: Kind
    /// The names of its labels, each with a bounded set of values.
    public let labels: [String]
    /// One sentence.
    public let help: String

    /// Describes a metric.
    public init(_ name: String, _ kind: Kind, labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }
}
