/// Help and usage of a command, laid out as swift-argument-parser lays them out.
struct HelpText {
    private static let indent = 2
    private static let labelWidth = 26
    /// From so many options on, the usage names none.
    private static let synopsisMax = 12

    private let path: [CommandDescription]
    private let width: Int

    /// Makes the texts of a command.
    ///
    /// - Parameters:
    ///   - path: The program, its command and so on; the last is described.
    ///   - width: The columns of the screen.
    init(path: [CommandDescription], width: Int) {
        self.path = path
        self.width = width
    }

    // MARK: - Texts

    /// What `--help` prints.
    var help: String {
        guard let command = path.last else { return "" }
        var overview = command.abstract
        if !command.discussion.isEmpty { overview += "\n\n\(command.discussion)" }
        let sections = [
            section(
                "ARGUMENTS",
                command.arguments.map { (label: "<\($0.valueName)>", text: Self.description(of: $0)) }
            ),
            section("OPTIONS", optionElements(of: command)),
            section("SUBCOMMANDS", command.subcommands.map { (label: $0.name, text: $0.abstract) }),
        ]
        let head = Self.wrap("OVERVIEW: \(overview)", to: width, indent: 0)
        return "\(head)\n\nUSAGE: \(usage)\n\n\(sections.filter { !$0.isEmpty }.joined(separator: "\n"))\(hint)"
    }

    /// The line that shows how to call the command.
    var usage: String {
        let name = path.map(\.name).joined(separator: " ")
        guard let command = path.last else { return name }
        if !command.subcommands.isEmpty { return "\(name) <subcommand>" }
        let options = command.options.filter { !$0.isHidden }
        let arguments = command.arguments.map(Self.argumentSynopsis)
        guard options.count + arguments.count > Self.synopsisMax else {
            return ([name] + options.map(Self.optionSynopsis) + arguments).joined(separator: " ")
        }
        let needed = options.filter(\.isRequired).map(Self.optionSynopsis) + arguments
        return needed.isEmpty ? "\(name) <options>" : "\(name) [<options>] \(needed.joined(separator: " "))"
    }

    /// What is printed of a command line that is wrong.
    static func complaint(_ failure: CommandParser.Failure) -> String {
        let text = HelpText(path: failure.path, width: .max)
        let help = failure.help.isEmpty ? "" : "Help:  \(failure.help)\n"
        let name = failure.path.map(\.name).joined(separator: " ")
        return "Error: \(failure.message)\n\(help)Usage: \(text.usage)\n  See '\(name) --help' for more information.\n"
    }

    // MARK: - Parts

    private var hint: String {
        guard let command = path.last, !command.subcommands.isEmpty else { return "" }
        var names = path.map(\.name)
        names.insert("help", at: 1)
        return "\n  See '\(names.joined(separator: " ")) <subcommand>' for detailed help."
    }

    private func optionElements(of command: CommandDescription) -> [(label: String, text: String)] {
        var elements = command.options.filter { !$0.isHidden }
            .map { (label: Self.synopsis(of: $0), text: Self.description(of: $0)) }
        if path.contains(where: { !$0.version.isEmpty }) { elements.append(("--version", "Show the version.")) }
        elements.append(("-h, --help", "Show help information."))
        return elements
    }

    private func section(_ title: String, _ elements: [(label: String, text: String)]) -> String {
        guard !elements.isEmpty else { return "" }
        return "\(title):\n" + elements.map { element($0.label, $0.text) }.joined()
    }

    private func element(_ label: String, _ text: String) -> String {
        let padded = String(repeating: " ", count: Self.indent) + label
        guard !text.isEmpty else { return padded + "\n" }
        let wrapped = Self.wrap(text, to: width, indent: Self.labelWidth)
        return padded.count < Self.labelWidth
            ? padded + wrapped.dropFirst(padded.count) + "\n" : "\(padded)\n\(wrapped)\n"
    }

    private static func description(of option: OptionDescription) -> String {
        var details: [String] = []
        switch option.value {
        case .choice(let names), .choices(let names): details.append("values: \(names.joined(separator: ", "))")
        case .none, .text, .integer: break
        }
        if !option.defaultText.isEmpty { details.append("default: \(option.defaultText)") }
        return details.isEmpty ? option.help : "\(option.help) (\(details.joined(separator: "; ")))"
    }

    /// An option with its value: `--listen <listen>`.
    static func synopsis(of option: OptionDescription) -> String {
        option.takesValue ? "--\(option.name) <\(option.valueName)>" : "--\(option.name)"
    }

    private static func optionSynopsis(of option: OptionDescription) -> String {
        let text = synopsis(of: option) + (option.isRepeating ? " ..." : "")
        return option.isRequired ? text : "[\(text)]"
    }

    /// A positional argument in the usage line: `<file>`.
    static func argumentSynopsis(of argument: OptionDescription) -> String {
        let text = "<\(argument.valueName)>" + (argument.isRepeating ? " ..." : "")
        return argument.isRequired ? text : "[\(text)]"
    }

    /// Breaks lines between words and sets each off from the left.
    ///
    /// - Parameters:
    ///   - text: Lines of their own are kept.
    ///   - width: The columns of the screen.
    ///   - indent: The columns left free.
    /// - Returns: The lines, without a line feed at the end.
    static func wrap(_ text: String, to width: Int, indent: Int) -> String {
        let space = String(repeating: " ", count: indent)
        let room = max(20, width - indent)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
                if !line.isEmpty, line.count + 1 + word.count > room {
                    lines.append(line)
                    line = String(word)
                } else {
                    line += (line.isEmpty ? "" : " ") + word
                }
            }
            lines.append(line)
            return lines.map { $0.isEmpty ? "" : space + $0 }.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
