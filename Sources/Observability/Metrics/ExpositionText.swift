/// Metrics as Prometheus reads them: its text format, version 0.0.4.
public struct ExpositionText: Sendable {
    /// The value of `content-type`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// What is written so far, in whole lines.
    public private(set) var text = ""
    private var name = ""
    private var labels: [String] = []

    /// Makes an empty text.
    public init() {}

    /// Begins a metric; its samples follow.
    public mutating func begin(_ metric: MetricDescription) {
        name = metric.name
        labels = metric.labels
        text += "# HELP \(name) \(escaped(metric.help, quotes: false))\n# TYPE \(name) \(metric.kind.rawValue)\n"
    }

    /// Writes a sample of the metric begun last.
    ///
    /// - Parameters:
    ///   - value: A whole number.
    ///   - values: Its labels' values, in the order of the description.
    public mutating func sample(_ value: some BinaryInteger, _ values: String...) {
        text += "\(name)\(braced(zip(labels, values))) \(value)\n"
    }

    /// Writes a sample in seconds.
    ///
    /// - Parameters:
    ///   - millis: Milliseconds.
    ///   - values: Its labels' values, in the order of the description.
    public mutating func seconds(millis: Int64, _ values: String...) {
        text += "\(name)\(braced(zip(labels, values))) \(Self.seconds(millis))\n"
    }

    /// Writes a histogram without labels.
    public mutating func histogram(_ snapshot: Histogram.Snapshot) {
        var cumulated: UInt64 = 0
        for (count, bound) in zip(snapshot.counts, Histogram.boundsMillis) {
            cumulated += count
            text += "\(name)_bucket{le=\"\(Self.seconds(bound))\"} \(cumulated)\n"
        }
        cumulated += snapshot.counts[Histogram.boundsMillis.count]
        text += "\(name)_bucket{le=\"+Inf\"} \(cumulated)\n"
        text += "\(name)_sum \(Self.seconds(Int64(clamping: snapshot.sumMillis)))\n\(name)_count \(cumulated)\n"
    }

    /// Milliseconds as seconds with the digits that they have, such as `0.05` and `2`.
    static func seconds(_ millis: Int64) -> String {
        let whole = millis.magnitude / 1_000
        let rest = Int(millis.magnitude % 1_000)
        var text = (millis < 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        let digits = String(rest)
        text += "." + String(repeating: "0", count: 3 - digits.count) + digits
        while text.last == "0" { text.removeLast() }
        return text
    }

    private func braced(_ labels: some Sequence<(String, String)>) -> String {
        let pairs = labels.map { "\($0)=\"\(escaped($1, quotes: true))\"" }
        return pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    private func escaped(_ text: String, quotes: Bool) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\"" where quotes: out += "\\\""
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
