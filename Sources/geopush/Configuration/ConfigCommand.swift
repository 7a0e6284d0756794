internal import Operations

/// `geopush config`: shows the configuration that a worker would run with.
enum ConfigCommand {
    static let description = CommandDescription(
        "config",
        abstract: "Shows every key with its value, and where that comes from.",
        discussion: """
            Reads the file, the variables and the options as geopush worker does. Passwords are shown as <redacted>.
            """,
        options: Configuration.allOptions + [
            OptionDescription("json", .none, help: "One JSON object a line: key, value, source, from.")
        ],
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let (entries, warnings) = try Configuration.loadEntries(arguments)
        for warning in warnings { StandardStream.error.write("Warning: \(warning)\n") }
        if arguments.has("json") {
            for entry in entries { StandardStream.output.write(json(of: entry)) }
        } else {
            // The value comes last, since that of apps may be long.
            var table = TextTable(header: ["KEY", "FROM", "VALUE"])
            table.rows = entries.map { [$0.key.name, "\($0.source)", text(of: $0.value)] }
            StandardStream.output.write(table.text)
        }
        return ExitCode.success
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .string(let text): VisibleText.line(text)
        default: JSONText.line(value)
        }
    }

    private static func json(of entry: ConfigurationEntry) -> String {
        let from = entry.source == .byDefault ? "null" : JSONText.quoted("\(entry.source)")
        return "{\"key\":\(JSONText.quoted(entry.key.name)),\"value\":\(JSONText.line(entry.value)),"
            + "\"source\":\"\(entry.source.kind)\",\"from\":\(from)}\n"
    }
}
