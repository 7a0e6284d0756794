internal import Operations

/// `geopush bench`: what the work costs, beside the same work in C, in ratios that hold on any machine.
enum BenchCommand {
    static let description = CommandDescription(
        "bench",
        abstract: "Measures what pushes cost, beside the same work in plain C.",
        subcommands: [
            CommandDescription(
                "sender",
                abstract: "Measures sending alone, against one nghttpd.",
                options: [pushes("200000"), rounds, json, child, port, ca],
                body: sender
            ),
            CommandDescription(
                "pipeline",
                abstract: "Measures a worker from Kafka to APNs to the receipt, on a real broker.",
                options: [pushes("400000"), servers, lanes, json],
                body: pipeline
            ),
            intake, latency,
        ]
    )

    static func pushes(_ count: String) -> OptionDescription {
        OptionDescription("pushes", .integer(1...10_000_000), valueName: "n", help: "How many pushes.", default: count)
    }

    static let rounds = OptionDescription(
        "rounds",
        .integer(1...100),
        valueName: "n",
        help: "How often each sender runs; the median counts.",
        default: "3"
    )
    static let json = OptionDescription("json", .none, help: "Prints one JSON object on one line.")
    static let servers = OptionDescription(
        "kafka-bootstrap-servers",
        .text,
        valueName: "servers",
        help: "The broker to measure on; unset: that of GEOPUSH_KAFKA_BOOTSTRAP_SERVERS.",
        default: Configuration().kafka.bootstrapServers
    )

    /// The broker that an option or a variable names, as for every other command.
    static func servers(_ arguments: ParsedArguments) throws(CommandFailure) -> String {
        try Configuration.load(arguments).configuration.kafka.bootstrapServers
    }

    static let lanes = OptionDescription(
        "lanes",
        .integer(1...64),
        valueName: "n",
        help: "How many lanes the worker runs.",
        default: "1"
    )
    private static let child = OptionDescription(
        "child",
        .choice(SenderBench.Sender.allCases.map(\.rawValue)),
        help: "Runs one sender in this process; the bench calls itself so."
    )
    private static let port = OptionDescription(
        "port",
        .integer(1...65_535),
        valueName: "n",
        help: "Where that sender sends to."
    )
    private static let ca = OptionDescription("ca", .text, valueName: "file", help: "The authority that it trusts.")

    @Sendable
    private static func sender(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let count = arguments.integer("pushes") ?? 200_000
        return try reported { () throws in
            if let name = arguments.text("child"), let sender = SenderBench.Sender(rawValue: name),
                let port = arguments.integer("port")
            {
                let ca = arguments.text("ca") ?? ""
                return try SenderBench.runChild(sender, pushes: count, port: UInt16(clamping: port), ca: ca)
            }
            let costs = try SenderBench(pushes: count, rounds: arguments.integer("rounds") ?? 3).run()
            let report = BenchReport("sender", pushes: count)
            for (sender, cost) in costs.sorted(by: { $0.key < $1.key }) { report.add("\(sender).cpuMicros", cost) }
            report.add("geopush.perCPush", (costs["geopush"] ?? 0) / (costs["c-push"] ?? 1))
            report.add("geopush.perC", (costs["geopush"] ?? 0) / (costs["c"] ?? 1))
            report.print(asJSON: arguments.has("json"))
        }
    }

    @Sendable
    private static func pipeline(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let count = arguments.integer("pushes") ?? 400_000
        let broker = try servers(arguments)
        return try reported { () throws in
            let unit = try SenderBench(pushes: 200_000, rounds: 3).run()["c"] ?? 1
            let bench = PipelineBench(
                bootstrapServers: broker,
                pushes: count,
                lanes: arguments.integer("lanes") ?? 1
            )
            let report = BenchReport("pipeline", pushes: count)
            report.add("c.cpuMicros", unit)
            for form in PushLoad.Form.allCases {
                let result = try bench.run(form)
                report.add("\(form.rawValue).cpuMicros", result.cpuMicrosPerPush)
                report.add("\(form.rawValue).perC", result.cpuMicrosPerPush / unit)
                report.add("\(form.rawValue).seconds", result.seconds)
                report.add("\(form.rawValue).peakMiB", Double(result.peakKiB) / 1_024)
                report.add("\(form.rawValue).simulatorCpuMicros", result.simulatorMicrosPerPush)
            }
            report.print(asJSON: arguments.has("json"))
        }
    }

    static func reported(_ body: () throws -> Void) throws(CommandFailure) -> Int32 {
        do {
            try body()
            return ExitCode.success
        } catch {
            throw .runtime("\(error)")
        }
    }
}
