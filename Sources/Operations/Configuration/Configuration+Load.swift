internal import EventLoop
internal import FoundationEssentials

extension Configuration {
    /// The option that names the file; every other option of the configuration has a key.
    public static let fileOption = OptionDescription(
        "config",
        .text,
        valueName: "file",
        help: "The configuration file, in JSON5."
    )

    /// The options that every command takes.
    public static let sharedOptions: [OptionDescription] = [
        fileOption, option(named: "kafka.bootstrapServers"), option(named: "kafka.topicPrefix"),
    ].compactMap(\.self)

    /// The options of the worker: one for each key.
    public static let allOptions: [OptionDescription] = [fileOption] + ConfigurationKey.all.map(option(of:))

    private static func option(named name: String) -> OptionDescription? {
        ConfigurationKey.named(name).map(option(of:))
    }

    private static func option(of key: ConfigurationKey) -> OptionDescription {
        OptionDescription(
            key.flag,
            .text,
            valueName: key.valueName,
            help: key.optionHelp,
            default: key.defaultText
        )
    }

    /// Reads the configuration that a command line, the environment and the file make together.
    ///
    /// - Parameter arguments: The options of the command.
    /// - Returns: The configuration, and what is odd in it without being wrong.
    /// - Throws: A failure with exit code 78 that names every fault.
    public static func load(
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> (configuration: Configuration, warnings: [String]) {
        let reader = try reader(arguments)
        return try refuse { () throws(ConfigurationError) in try reader.read() }
    }

    /// Reads the same configuration, and says of each key where its value comes from.
    ///
    /// - Parameter arguments: The options of the command.
    /// - Returns: An entry for each key, and what is odd without being wrong.
    /// - Throws: A failure with exit code 78 that names every fault.
    public static func loadEntries(
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> (entries: [ConfigurationEntry], warnings: [String]) {
        let reader = try reader(arguments)
        return try refuse { () throws(ConfigurationError) in (try reader.entries(), try reader.read().warnings) }
    }

    /// Makes a reader of the file, the variables and the options.
    ///
    /// - Parameter arguments: The options of the command.
    /// - Returns: The reader.
    /// - Throws: A failure with exit code 78 when the file cannot be read.
    public static func reader(_ arguments: ParsedArguments) throws(CommandFailure) -> ConfigurationReader {
        var file: (path: String, bytes: [UInt8])?
        if let path = arguments.text("config") {
            do throws(SystemError) {
                file = (path, try FileContent.read(path))
            } catch {
                throw .configuration(
                    "the configuration \(path) cannot be read (\(error)): check the path after --config"
                )
            }
        }
        return ConfigurationReader(
            file: file,
            environment: ProcessInfo.processInfo.environment,
            flags: arguments.byName
        )
    }

    private static func refuse<Value>(
        _ body: () throws(ConfigurationError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            throw .configuration(error.faults.joined(separator: "\nError: "))
        }
    }
}
