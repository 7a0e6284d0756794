internal import EventLoop
internal import Observability
internal import Operations

/// `geopush demo`: everything in one process, from the events to the table of receipts.
enum DemoCommand {
    static let description = CommandDescription(
        "demo",
        abstract: "Shows the whole way of a push, with a Kafka and an APNs inside this process.",
        discussion: """
            Starts librdkafka's mock cluster, the APNs simulator and a worker, publishes three places and a campaign, \
            and prints what happens until every device has its receipt. Needs nothing outside the process, and ends by \
            itself.
            """,
        options: [
            OptionDescription(
                "devices",
                .integer(1...10_000),
                valueName: "n",
                help: "How many devices the campaign names.",
                default: "3000"
            )
        ],
        body: run
    )

    /// The longest that the demo waits for all receipts.
    private static let receiptsMillis: Int64 = 60_000

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        LogOutput.process.configure(level: .error, format: .text)
        do {
            let events = DemoEvents(campaignDevices: arguments.integer("devices") ?? 3_000)
            let world = try DemoWorld(events)
            try show(events, in: world)
            return ExitCode.success
        } catch {
            throw .runtime("\(error)")
        }
    }

    private static func show(_ events: DemoEvents, in world: DemoWorld) throws {
        say("A Kafka (librdkafka's mock cluster) at \(world.bootstrapServers), an APNs (simulator) at \(world.apns).")
        say("The worker joins its groups, which takes the mock cluster about three seconds ...")
        try world.startWorker()
        say("Ready.\n")
        for event in events.all { say("event     \(event.summary)") }
        let startedMillis = Clock.monotonicMillis()
        try world.publish(events)
        let receipts = try world.readReceipts(count: events.receiptCount, timeoutMillis: receiptsMillis) { count in
            say("receipts  \(count) of \(events.receiptCount)")
        }
        let seconds = Double(max(1, Clock.monotonicMillis() - startedMillis)) / 1_000
        say("")
        for push in world.examplePushes {
            say(
                "push      \(push.body.utf8.count) bytes, apns-push-type \(push.type), apns-collapse-id \(push.collapseID)"
            )
            say("          \(push.body)")
        }
        say("")
        StandardStream.output.write(receipts.table)
        let rate = Int(Double(receipts.total) / seconds)
        say(
            "\n\(receipts.total) receipts in \((seconds * 10).rounded() / 10) s: \(rate) a second, in this one process."
        )
        try world.stop()
        guard receipts.total == events.receiptCount else {
            throw DemoError("\(events.receiptCount) receipts were expected")
        }
    }

    private static func say(_ line: String) { StandardStream.output.write(line + "\n") }
}

/// Why the demo has not shown all.
struct DemoError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
