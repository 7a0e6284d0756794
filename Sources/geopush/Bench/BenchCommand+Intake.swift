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
            seconds("120").hidden,
        ],
        body: runIntake
    )

    static func seconds(_ count: String) -> OptionDescription {
        OptionDescription("seconds", .integer(3...3_600), valueName: "n", help: "How long it takes.", default: count)
    }

    /// How many devices an event names: many, as a campaign does, and one.
    private static let devicesPerEvent = [1_000, 1]

    @Sendable
    private static func runIntake(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let count = arguments.integer("pushes") ?? 200_000
        let broker = try servers(arguments)
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
                report.add("\(name).perC", result.ratio)
                for (program, run) in [("", result.ours), ("c.", result.plainC)] {
                    report.add("\(name).\(program)cpuMicros", run.cpuMicros)
                    report.add("\(name).\(program)seconds", run.seconds)
                    report.add("\(name).\(program)markers", run.markers)
                    report.add("\(name).\(program)peakMiB", Double(run.peakKiB) / 1_024)
                }
            }
            report.print(asJSON: arguments.has("json"))
        }
    }
}
