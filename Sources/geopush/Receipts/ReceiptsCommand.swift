internal import EventLoop
internal import Events
internal import Kafka
internal import Operations

/// `geopush receipts`: shows, counts and follows receipts.
enum ReceiptsCommand {
    static let description = CommandDescription(
        "receipts",
        abstract: "Shows receipts.",
        discussion: """
            Without --follow: all there is, then the end. With it: what comes from now on, until a signal. Reads \
            without a group, so that it takes nothing away from other readers.
            """,
        options: Configuration.sharedOptions + [
            OptionDescription("follow", .none, help: "Go on with what comes."),
            OptionDescription("from-beginning", .none, help: "With --follow: begin with what is there."),
            OptionDescription("event", .text, valueName: "id", help: "Only of this event."),
            OptionDescription("campaign", .text, valueName: "id", help: "Only of this campaign."),
            OptionDescription("location", .text, valueName: "id", help: "Only of this location."),
            OptionDescription("device", .text, valueName: "id", help: "Only of this device."),
            OptionDescription(
                "token",
                .text,
                valueName: "hex",
                help: "Only of this device token, also where it is hidden."
            ),
            OptionDescription(
                "status",
                .choice(ReceiptStatus.allCases.map(\.rawValue)),
                help: "Only with this status."
            ),
            OptionDescription("json", .none, help: "One JSON object a line: the receipt's data."),
            OptionDescription("summary", .none, help: "Count by status and reason in place of showing each."),
            OptionDescription(
                "stop-after",
                .integer(1...Int.max),
                valueName: "n",
                help: "End after so many receipts."
            ),
        ],
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let configuration = try Configuration.load(arguments).configuration
        configuration.log.applyToCommand()
        var printer = ReceiptPrinter(arguments)
        let isFollowing = arguments.has("follow")
        let source = RecordSource(configuration.kafka, topic: "receipts", isFollowing: isFollowing)
        try source.open(from: isFollowing && !arguments.has("from-beginning") ? .end : .beginning)
        printer.begin()
        try source.read { record in printer.take(record) }
        printer.end()
        return ExitCode.success
    }
}

/// Prints the receipts that are wanted.
private struct ReceiptPrinter: ~Copyable {
    private let filter: ReceiptFilter
    private let isJSON: Bool
    private let isSummary: Bool
    private let countMax: Int
    private var reader = ReceiptReader()
    private var summary = ReceiptSummary()

    init(_ arguments: ParsedArguments) {
        filter = ReceiptFilter(arguments)
        isJSON = arguments.has("json")
        isSummary = arguments.has("summary")
        countMax = arguments.integer("stop-after") ?? .max
    }

    func begin() {
        if !isJSON, !isSummary { StandardStream.output.write(ReceiptTable.header) }
    }

    /// Takes the value of one record.
    ///
    /// - Returns: False when enough was shown, or when nobody looks any more.
    mutating func take(_ record: borrowing Record) -> Bool {
        // What is no receipt is left out, as is a tombstone: this topic is never compacted.
        guard let value = unsafe record.value, let receipt = unsafe reader.read(value), filter.matches(receipt) else {
            return true
        }
        summary.add(receipt)
        if !isSummary {
            let line = isJSON ? receipt.dataJSON + "\n" : ReceiptTable.line(receipt)
            guard StandardStream.output.write(line) else { return false }
        }
        return summary.total < countMax
    }

    func end() {
        if isSummary { StandardStream.output.write(isJSON ? summary.json : summary.table) }
    }
}
