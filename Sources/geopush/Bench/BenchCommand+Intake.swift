internal import Operations

extension BenchCommand {
    static let intake = CommandDescription(
        "intake",
        abstract: "Measures how events become pushes, on a real broker.",
        options: [
            pushes("200000"), rounds, servers, json,
            OptionDescription(
                "child",
                .none,
                help: "Runs the C program in this process; the bench calls itself so.",
                isHidden: true
            ),
            OptionDescription("events-topic", .text, help: "What it reads.", isHidden: true),
            OptionDescription("pushes-topic", .text, help: "Where it writes.", isHidden: true),
            OptionDescription("seconds", .integer(1...3_600), help: "When it ends in any case.", isHidden: true),
        ],
        body: runIntake
    )

    /// How many devices an event names: many, as a campaign does, and one.
    private static let devicesPerEvent = [1_000, 1]

    @Sendable
    private static func runIntake(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let count = arguments.integer("pushes") ?? 200_000
        let broker = arguments.text("kafka-bootstrap-servers") ?? "127.0.0.1:9092"
        return try reported { () throws in
            if arguments.has("child") {
                let program = IntakeBaseline(
                    bootstrapServers: broker,
                    events: arguments.text("events-topic") ?? "",
                    pushes: arguments.text("pushes-topic") ?? ""
                )
                return try program.run(count: count, seconds: arguments.integer("seconds") ?? 120)
            }
            let bench = IntakeBench(
                bootstrapServers: broker,
                pushes: count,
                rounds: arguments.integer("rounds") ?? 3
            )
            let report = BenchReport("intake", pushes: count)
            for devices in devicesPerEvent {
                let result = try bench.run(devicesPerEvent: devices)
                let name = devices == 1 ? "one-device" : "\(devices)-devices"
                report.add("\(name).cpuMicros", result.ours)
                report.add("\(name).cCpuMicros", result.plainC)
                report.add("\(name).perC", result.ratio)
                report.add("\(name).peakMiB", Double(result.peakKiB) / 1_024)
            }
            report.print(asJSON: arguments.has("json"))
        }
    }
}
