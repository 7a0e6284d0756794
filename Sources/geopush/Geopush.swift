internal import Glibc
internal import Operations

/// The program: one command line, one command.
@main
enum Geopush {
    static let version = "0.1.0"

    /// Runs the command; synchronous, so that signals are blocked before a thread of the runtime exists.
    ///
    /// They are blocked before all else: a worker that is stopped while it starts has to end with 0, too. Commands that
    /// do not wait for signals get them back from the runner.
    static func main() {
        TerminationSignals.block()
        ProcessLimits.prepare()
        exit(CommandRunner(description).run(Array(CommandLine.arguments.dropFirst())))
    }

    static let description = CommandDescription(
        "geopush",
        abstract: "Turns events on Kafka into silent pushes on iPhones, and writes a receipt for each.",
        version: version,
        subcommands: [
            WorkerCommand.description, TopicsCommand.description, PublishCommand.description,
            ReceiptsCommand.description, DeadLettersCommand.description, ValidateCommand.description,
            ConfigCommand.description, DoctorCommand.description,
            SimulateCommand.description, DemoCommand.description, BenchCommand.description,
        ]
    )
}
