internal import Operations

extension BenchCommand {
    static let latency = CommandDescription(
        "latency",
        abstract: "Measures how long a push takes from its event to APNs, on a real broker.",
        options: [
            OptionDescription(
                "rate",
                .integer(50...100_000),
                valueName: "n",
                help: "How many events a second, with one device each.",
                default: "500"
            ),
            seconds("20"), rounds, servers, json,
        ],
        body: runLatency
    )

    @Sendable
    private static func runLatency(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let bench = LatencyBench(
            bootstrapServers: try servers(arguments),
            eventsPerSecond: arguments.integer("rate") ?? 500,
            seconds: arguments.integer("seconds") ?? 20,
            rounds: arguments.integer("rounds") ?? 3
        )
        return try reported { () throws in
            let result = try bench.run()
            let report = BenchReport("latency", pushes: bench.eventsPerSecond * bench.seconds)
            report.add("p99PerC", result.ratio)
            for (program, run) in [("", result.ours), ("c.", result.plainC)] {
                report.add("\(program)p50Millis", run.p50Millis)
                report.add("\(program)p99Millis", run.p99Millis)
                report.add("\(program)cpuMicros", run.cpuMicros)
            }
            report.print(asJSON: arguments.has("json"))
        }
    }
}
