internal import EventLoop
internal import Events
internal import Kafka
internal import Operations

/// Prints the receipts that are wanted, or counts them.
final class ReceiptPrinter {
    private let filter: ReceiptFilter
    private let isJSON: Bool
    private let isSummary: Bool
    private let isColoured: Bool
    private let countMax: Int
    private var reader = ReceiptReader()
    private var summary = ReceiptSummary()
    private var groups: ReceiptGroups?
    private var live: LiveLine

    /// Makes a printer of what the command was asked for.
    init(_ arguments: ParsedArguments) {
        filter = ReceiptFilter(arguments)
        isJSON = arguments.has("json")
        isSummary = arguments.has("summary")
        isColoured = StandardStream.output.showsColours
        countMax = arguments.integer("stop-after") ?? .max
        groups = arguments.text("by").flatMap { ReceiptGroups.Kind(rawValue: $0) }.map { ReceiptGroups(by: $0) }
        live = LiveLine(
            isOn: arguments.has("follow") && !isJSON && StandardStream.output.isScreen,
            nowMillis: Clock.monotonicMillis()
        )
    }

    /// Prints what stands above the receipts.
    func begin() {
        if !isJSON, !isSummary { StandardStream.output.write(ReceiptTable.header) }
    }

    /// Takes the value of one record.
    ///
    /// - Returns: False when enough was shown, or when nobody looks any more.
    func take(_ record: borrowing Record) -> Bool {
        // What is no receipt is left out, as is a tombstone: this topic is never compacted.
        guard let value = unsafe record.value, let receipt = unsafe reader.read(value), filter.matches(receipt) else {
            return true
        }
        summary.add(receipt)
        groups?.add(receipt)
        if !isSummary {
            live.erase()
            let line = isJSON ? receipt.dataJSON + "\n" : ReceiptTable.line(receipt, isColoured: isColoured)
            guard StandardStream.output.write(line) else { return false }
        }
        return summary.total < countMax
    }

    /// Says how many come in a second.
    func pause() {
        live.draw(count: summary.total, nowMillis: Clock.monotonicMillis()) { summary.line(rate: $0) }
    }

    /// Prints what stands below the receipts.
    func end() {
        live.erase()
        if isSummary {
            let text = isJSON ? groups?.json ?? summary.json : groups?.table ?? summary.table
            StandardStream.output.write(text)
        } else if !isJSON, StandardStream.output.isTerminal {
            StandardStream.output.write(summary.line() + "\n")
        }
    }
}
