/// Finds the command that a command line names, and checks its arguments.
struct CommandParser {
    /// What a command line asks for.
    enum Call {
        case run(CommandDescription, CommandDescription.Body, ParsedArguments)
        case help([CommandDescription])
        case version(String)
    }

    /// A command line that is wrong, with the commands that it got through.
    struct Failure: Error {
        let message: String
        /// A line of help on the option or argument that the message is about.
        let help: String
        let path: [CommandDescription]
    }

    private var path: [CommandDescription]
    private var rest: ArraySlice<String>
    private var parsed = ParsedArguments()
    private var positional: [String] = []

    private init(_ root: CommandDescription, _ words: [String]) {
        path = [root]
        rest = words[...]
    }

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - words: What stands behind the program's name.
    ///   - root: The program.
    /// - Returns: What is asked for.
    /// - Throws: ``Failure`` that says what is wrong.
    static func parse(_ words: [String], of root: CommandDescription) throws(Failure) -> Call {
        var parser = CommandParser(root, words)
        return try parser.call()
    }

    private mutating func call() throws(Failure) -> Call {
        if rest.first == "help", !path[0].subcommands.isEmpty {
            rest.removeFirst()
            descend()
            return .help(path)
        }
        descend()
        guard let command = path.last, let body = command.body else { return try callOfGroup() }
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                rest = []
            } else if isOption(word) {
                if word == "-h" || word == "--help" { return .help(path) }
                if word == "--version", let version = path.first?.version, !version.isEmpty { return .version(version) }
                try option(word, of: command)
            } else {
                positional.append(word)
            }
        }
        try assignPositional(of: command)
        for option in command.options where option.isRequired && !parsed.has(option.name) {
            throw failure("Missing expected argument '\(HelpText.synopsis(of: option))'", about: option)
        }
        return .run(command, body, parsed)
    }

    /// Follows the names of subcommands as far as they go.
    private mutating func descend() {
        while let word = rest.first, let next = path.last?.subcommands.first(where: { $0.name == word }) {
            path.append(next)
            rest.removeFirst()
        }
    }

    private mutating func callOfGroup() throws(Failure) -> Call {
        switch rest.first {
        case nil, "-h", "--help": return .help(path)
        case "--version":
            if let version = path.first?.version, !version.isEmpty { return .version(version) }
            throw failure("Unknown option '--version'")
        case .some(let word) where isOption(word): throw failure("Unknown option '\(word)'")
        case .some(let word):
            let near = EditDistance.nearest(to: word, among: path.last?.subcommands.map(\.name) ?? [])
            throw failure("Unexpected argument '\(word)'\(near.map { ". Did you mean '\($0)'?" } ?? "")")
        }
    }

    private func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" && Int(word) == nil }

    // MARK: - Options

    private mutating func option(_ word: String, of command: CommandDescription) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelled = String(parts[0])
        guard let option = command.options.first(where: { "--\($0.name)" == spelled }) else {
            let near = EditDistance.nearest(
                to: spelled,
                among: command.options.filter { !$0.isHidden }.map { "--\($0.name)" }
            )
            throw failure("Unknown option '\(spelled)'\(near.map { ". Did you mean '\($0)'?" } ?? "")")
        }
        guard option.takesValue else {
            guard parts.count == 1 else {
                throw failure("The option '\(spelled)' does not take any value, but '\(parts[1])' was specified.")
            }
            parsed.add(option.name, "")
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : valueInRest() else {
            throw failure("Missing value for '\(HelpText.synopsis(of: option))'", about: option)
        }
        try check(value, of: option, called: HelpText.synopsis(of: option))
        parsed.add(option.name, value)
    }

    private mutating func valueInRest() -> String? {
        guard let next = rest.first, !isOption(next) else { return nil }
        return rest.removeFirst()
    }

    private func check(_ value: String, of option: OptionDescription, called name: String) throws(Failure) {
        let expectation: String?
        switch option.value {
        case .none, .text:
            expectation = nil
        case .integer(let range):
            let bound =
                range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound)...\(range.upperBound)"
            expectation = Int(value).map { range ~= $0 } == true ? nil : ": expected a whole number, \(bound)"
        case .choice(let names):
            expectation = names.contains(value) ? nil : ". Please provide one of \(Self.list(names, "or"))."
        case .choices(let names):
            let parts = value.split(separator: ",", omittingEmptySubsequences: false)
            let isRight = parts.allSatisfy { names.contains(String($0)) }
            expectation = isRight ? nil : ". Please provide some of \(Self.list(names, "and")), separated by commas."
        }
        if let expectation {
            throw failure("The value '\(value)' is invalid for '\(name)'\(expectation)", about: option)
        }
    }

    private static func list(_ names: [String], _ word: String) -> String {
        let quoted = names.map { "'\($0)'" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return "\(quoted.dropLast().joined(separator: ", ")) \(word) \(last)"
    }

    // MARK: - Positional arguments

    private mutating func assignPositional(of command: CommandDescription) throws(Failure) {
        var words = positional[...]
        for argument in command.arguments {
            let count = argument.isRepeating ? words.count : min(1, words.count)
            guard count > 0 || !argument.isRequired else {
                throw failure("Missing expected argument '\(HelpText.argumentSynopsis(of: argument))'", about: argument)
            }
            for word in words.prefix(count) {
                try check(word, of: argument, called: "<\(argument.valueName)>")
                parsed.add(argument.name, word)
            }
            words = words.dropFirst(count)
        }
        guard words.isEmpty else {
            let list = words.joined(separator: "', '")
            throw failure(
                words.count == 1 ? "Unexpected argument '\(list)'" : "\(words.count) unexpected arguments: '\(list)'"
            )
        }
    }

    private func failure(_ message: String, about option: OptionDescription? = nil) -> Failure {
        let isArgument = path.last?.arguments.contains { $0.name == option?.name } ?? false
        let help = option.map { option in
            "\(isArgument ? "<\(option.valueName)>" : HelpText.synopsis(of: option))  \(option.help)"
        }
        return Failure(message: message, help: help ?? "", path: path)
    }
}
