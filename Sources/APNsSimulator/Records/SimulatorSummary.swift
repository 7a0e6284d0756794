/// What a simulator has counted since it started.
public struct SimulatorSummary: Sendable, Equatable {
    /// Requests received to their end, answered or not.
    public var requests = 0
    /// Answers with status 200.
    public var accepted = 0
    /// Other answers by reason; the status stands where an answer had none.
    public var rejected: [String: Int] = [:]
    /// Different ids among the accepted.
    public var distinctApnsIDs = 0
    /// Accepted requests whose id had been accepted before.
    public var duplicateAccepted = 0
    /// Connections accepted.
    public var connections = 0
    /// Accepted pushes that wait for devices that are offline.
    public var stored = 0
    /// Accepted pushes that made room for a newer one before their device was reached.
    public var replaced = 0
    /// Accepted pushes that expired before their device was reached.
    public var expired = 0
    /// Accepted pushes that reached their device: all others.
    public var delivered: Int { accepted - stored - replaced - expired }
    /// Lines of the log that its file did not take.
    public var logLinesLost = 0

    /// Counts nothing yet.
    public init() {}

    /// One line of JSON, the reasons in alphabetical order.
    public var json: String {
        var text = TextBuffer(capacity: 1024)
        text.append("{\"requests\":")
        text.append(decimal: Int64(requests))
        text.append(",\"accepted\":")
        text.append(decimal: Int64(accepted))
        text.append(",\"rejected\":{")
        var isFirst = true
        for (reason, count) in rejected.sorted(by: { $0.key < $1.key }) {
            if !isFirst { text.append(",") }
            isFirst = false
            text.append(quoted: reason)
            text.append(":")
            text.append(decimal: Int64(count))
        }
        text.append("},\"distinctApnsIds\":")
        text.append(decimal: Int64(distinctApnsIDs))
        text.append(",\"duplicateAccepted\":")
        text.append(decimal: Int64(duplicateAccepted))
        text.append(",\"connections\":")
        text.append(decimal: Int64(connections))
        text.append(",\"delivered\":")
        text.append(decimal: Int64(delivered))
        text.append(",\"stored\":")
        text.append(decimal: Int64(stored))
        text.append(",\"replaced\":")
        text.append(decimal: Int64(replaced))
        text.append(",\"expired\":")
        text.append(decimal: Int64(expired))
        text.append(",\"logLinesLost\":")
        text.append(decimal: Int64(logLinesLost))
        text.append("}")
        return text.span.text
    }
}
