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
            without a group, so that it takes nothing away from other readers. On a terminal the statuses have \
            colours, unless NO_COLOR is set, and a last line counts; with --follow it says how many come in a second.
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
                "by",
                .choice(ReceiptGroups.Kind.allCases.map(\.rawValue)),
                valueName: "what",
                help: "With --summary: count for each of these."
            ),
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
        guard !arguments.has("by") || arguments.has("summary") else { throw .usage("--by goes with --summary") }
        let isFollowing = arguments.has("follow")
        let source = RecordSource(configuration.kafka, topic: "receipts", isFollowing: isFollowing)
        try source.open(from: isFollowing && !arguments.has("from-beginning") ? .end : .beginning)
        let printer = ReceiptPrinter(arguments)
        printer.begin()
        try source.read({ record in printer.take(record) }, pause: printer.pause)
        printer.end()
        return ExitCode.success
    }
}
