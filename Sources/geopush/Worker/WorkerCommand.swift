internal import Operations

/// `geopush worker`: runs the stages until a signal.
enum WorkerCommand {
    static let description = CommandDescription(
        "worker",
        abstract: "Runs the stages that turn events into pushes and pushes into receipts.",
        options: [
            OptionDescription(
                "stages",
                .choices(["intake", "delivery"]),
                help: "Which stages run in this process.",
                default: "intake,delivery"
            )
        ] + Configuration.allOptions,
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let loaded = try Configuration.load(arguments)
        loaded.configuration.log.applyToWorker()
        return ExitCode.success
    }
}
