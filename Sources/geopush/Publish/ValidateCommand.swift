internal import Events
internal import Operations

/// `geopush validate`: the checks of `publish`, without a broker.
enum ValidateCommand {
    static let description = CommandDescription(
        "validate",
        abstract: "Checks events as the worker checks them; needs no broker.",
        discussion: """
            A file holds one event, an array of events, or one event a line. Each fault is shown with its file, line or \
            index, and JSON path. The exit code is 1 if there is one.
            """,
        arguments: [
            OptionDescription(
                "file",
                .text,
                help: "Files with events, or - for standard input.",
                isRepeating: true,
                isRequired: true
            )
        ],
        options: Configuration.sharedOptions,
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let configuration = try Configuration.load(arguments).configuration
        var faults = 0
        for path in arguments.texts("file") {
            let file = try EventFile(path, kind: nil, configuration)
            file.complain()
            faults += file.plan.faults.count
            guard file.plan.faults.isEmpty else { continue }
            let count = file.plan.messages.count
            StandardStream.output.write("\(file.name): \(count) \(count == 1 ? "event" : "events"), no fault\n")
        }
        return faults == 0 ? ExitCode.success : ExitCode.failure
    }
}
