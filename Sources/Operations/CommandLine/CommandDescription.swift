/// A command: what it takes, and what it does.
public struct CommandDescription: Sendable {
    /// What a command does with its arguments; the result is the exit code.
    public typealias Body = @Sendable (ParsedArguments) throws(CommandFailure) -> Int32

    /// The word that calls it.
    public let name: String
    /// One sentence.
    public let abstract: String
    /// More than that, in lines of their own.
    public let discussion: String
    /// Positional arguments, in order; all but the last are required.
    public let arguments: [OptionDescription]
    /// Options.
    public let options: [OptionDescription]
    /// Commands inside this one.
    public let subcommands: [CommandDescription]
    /// The version that `--version` prints; empty where there is no such option.
    public let version: String
    /// Whether it waits for SIGTERM and SIGINT itself; others are ended by them.
    public let waitsForSignals: Bool
    let body: Body?

    /// Describes a command that does something.
    ///
    /// - Parameters:
    ///   - name: The word that calls it.
    ///   - abstract: One sentence.
    ///   - discussion: More than that.
    ///   - arguments: Positional arguments.
    ///   - options: Options; `--help` is added by itself.
    ///   - waitsForSignals: Whether it waits for SIGTERM and SIGINT itself, which stay blocked then.
    ///   - body: What it does.
    public init(
        _ name: String,
        abstract: String,
        discussion: String = "",
        arguments: [OptionDescription] = [],
        options: [OptionDescription] = [],
        waitsForSignals: Bool = false,
        body: @escaping Body
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.subcommands = []
        self.version = ""
        self.waitsForSignals = waitsForSignals
        self.body = body
    }

    /// Describes a command that only holds others.
    ///
    /// - Parameters:
    ///   - name: The word that calls it.
    ///   - abstract: One sentence.
    ///   - version: What `--version` prints.
    ///   - subcommands: The commands inside.
    public init(_ name: String, abstract: String, version: String = "", subcommands: [CommandDescription]) {
        self.name = name
        self.abstract = abstract
        self.discussion = ""
        self.arguments = []
        self.options = []
        self.subcommands = subcommands
        self.version = version
        self.waitsForSignals = false
        self.body = nil
    }
}
