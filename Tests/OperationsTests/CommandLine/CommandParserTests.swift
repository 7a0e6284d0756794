import Testing

@testable import Operations

private let tool = CommandDescription(
    "tool",
    abstract: "Does things.",
    version: "1.2.3",
    subcommands: [
        CommandDescription(
            "copy",
            abstract: "Copies.",
            arguments: [
                OptionDescription("from", .text, help: "The source.", isRequired: true),
                OptionDescription("to", .text, help: "The targets.", isRepeating: true),
            ],
            options: [
                OptionDescription("depth", .integer(0...9), valueName: "n", help: "How deep.", default: "1"),
                OptionDescription("mode", .choice(["fast", "safe"]), help: "How."),
                OptionDescription("parts", .choices(["a", "b", "c"]), help: "Which."),
                OptionDescription("tag", .text, help: "A tag.", isRepeating: true),
                OptionDescription("dry", .none, help: "Only looks."),
                OptionDescription("secret-door", .none, help: "Opens.", isHidden: true),
            ],
            body: { (_) throws(CommandFailure) in 0 }
        ),
        CommandDescription(
            "group",
            abstract: "Holds others.",
            subcommands: [
                CommandDescription(
                    "inner",
                    abstract: "Is inside.",
                    options: [OptionDescription("key", .text, help: "The key.", isRequired: true)],
                    body: { (_) throws(CommandFailure) in 0 }
                )
            ]
        ),
    ]
)

private func arguments(_ words: [String]) throws -> ParsedArguments {
    guard case .run(_, _, let arguments) = try CommandParser.parse(words, of: tool) else {
        throw CommandFailure.runtime("no run")
    }
    return arguments
}

private func complaint(_ words: [String]) -> String {
    do {
        _ = try CommandParser.parse(words, of: tool)
        return ""
    } catch {
        return HelpText.complaint(error)
    }
}

private func help(_ words: [String]) throws -> String {
    guard case .help(let path) = try CommandParser.parse(words, of: tool) else { return "" }
    return HelpText(path: path, width: 80).help
}

@Suite struct CommandParserTests {
    @Test func `reads options in both forms, flags and arguments`() throws {
        let words = [
            "copy", "--depth", "3", "a", "--mode=safe", "--tag", "x", "--dry", "--tag=y", "b", "c", "--parts", "a,c",
        ]
        let parsed = try arguments(words)
        #expect(parsed.integer("depth") == 3)
        #expect(parsed.text("mode") == "safe")
        #expect(parsed.texts("tag") == ["x", "y"])
        #expect(parsed.has("dry"))
        #expect(!parsed.has("secret-door"))
        #expect(parsed.text("from") == "a")
        #expect(parsed.texts("to") == ["b", "c"])
        #expect(parsed.choices("parts") == ["a", "c"])
    }

    @Test func `takes the last of two values`() throws {
        #expect(try arguments(["copy", "a", "--depth=1", "--depth=2"]).integer("depth") == 2)
    }

    @Test func `takes a lone dash for an argument, and all after two dashes`() throws {
        #expect(try arguments(["copy", "-"]).text("from") == "-")
        #expect(try arguments(["copy", "--", "--depth", "-h"]).texts("to") == ["-h"])
        #expect(try arguments(["copy", "a", "--tag="]).text("tag") == "")
    }

    @Test func `takes hidden options`() throws {
        #expect(try arguments(["copy", "a", "--secret-door"]).has("secret-door"))
    }

    @Test(
        arguments: [
            (["copy"], "Missing expected argument '<from>'\nHelp:  <from>  The source."),
            (["copy", "a", "--dept", "1"], "Unknown option '--dept'. Did you mean '--depth'?"),
            (["copy", "a", "-x"], "Unknown option '-x'"),
            (["copy", "a", "--depth"], "Missing value for '--depth <n>'\nHelp:  --depth <n>  How deep."),
            (["copy", "a", "--depth", "--dry"], "Missing value for '--depth <n>'\nHelp:  --depth <n>  How deep."),
            (
                ["copy", "a", "--depth", "10"],
                "The value '10' is invalid for '--depth <n>': expected a whole number, 0...9\nHelp:  --depth <n>  How deep."
            ),
            (
                ["copy", "a", "--depth=-1"],
                "The value '-1' is invalid for '--depth <n>': expected a whole number, 0...9\nHelp:  --depth <n>  How deep."
            ),
            (
                ["copy", "a", "--depth", "-1"],
                "The value '-1' is invalid for '--depth <n>': expected a whole number, 0...9\nHelp:  --depth <n>  How deep."
            ),
            (
                ["copy", "a", "--mode", "wild"],
                "The value 'wild' is invalid for '--mode <mode>'. Please provide one of 'fast' or 'safe'.\nHelp:  --mode <mode>  How."
            ),
            (
                ["copy", "a", "--parts", "a,d"],
                "The value 'a,d' is invalid for '--parts <parts>'. Please provide some of 'a', 'b' and 'c', separated by commas.\nHelp:  --parts <parts>  Which."
            ),
            (
                ["copy", "a", "--parts", ""],
                "The value '' is invalid for '--parts <parts>'. Please provide some of 'a', 'b' and 'c', separated by commas.\nHelp:  --parts <parts>  Which."
            ),
            (["copy", "a", "--dry=1"], "The option '--dry' does not take any value, but '1' was specified."),
        ]
    ) func `says what is wrong with a command`(words: [String], message: String) {
        let usage =
            "tool copy [--depth <n>] [--mode <mode>] [--parts <parts>] [--tag <tag> ...] [--dry] <from> [<to> ...]"
        #expect(
            complaint(words) == "Error: \(message)\nUsage: \(usage)\n  See 'tool copy --help' for more information.\n"
        )
    }

    @Test(
        arguments: [
            (["copi"], "Unexpected argument 'copi'. Did you mean 'copy'?", "tool"),
            (["wholly"], "Unexpected argument 'wholly'", "tool"),
            (["--deep"], "Unknown option '--deep'", "tool"),
            (["group", "outer"], "Unexpected argument 'outer'", "tool group"),
        ]
    ) func `says what is wrong before a command`(words: [String], message: String, path: String) {
        #expect(
            complaint(words)
                == "Error: \(message)\nUsage: \(path) <subcommand>\n  See '\(path) --help' for more information.\n"
        )
    }

    @Test func `demands what is required`() {
        #expect(complaint(["group", "inner"]).hasPrefix("Error: Missing expected argument '--key <key>'\n"))
        #expect(
            complaint(["group", "inner", "--key", "k", "a", "b"]).hasPrefix("Error: 2 unexpected arguments: 'a', 'b'\n")
        )
    }

    @Test func `shows the version anywhere`() throws {
        for words in [["--version"], ["group", "--version"], ["copy", "--version"]] {
            guard case .version("1.2.3") = try CommandParser.parse(words, of: tool) else {
                Issue.record("\(words)")
                continue
            }
        }
    }

    @Test func `lays out the help of a program`() throws {
        let expected = """
            OVERVIEW: Does things.

            USAGE: tool <subcommand>

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.

            SUBCOMMANDS:
              copy                    Copies.
              group                   Holds others.

              See 'tool help <subcommand>' for detailed help.
            """
        for words in [[], ["-h"], ["--help"], ["help"]] { #expect(try help(words) == expected) }
    }

    @Test func `lays out the help of a command`() throws {
        let expected = """
            OVERVIEW: Copies.

            USAGE: tool copy [--depth <n>] [--mode <mode>] [--parts <parts>] [--tag <tag> ...] [--dry] <from> [<to> ...]

            ARGUMENTS:
              <from>                  The source.
              <to>                    The targets.

            OPTIONS:
              --depth <n>             How deep. (default: 1)
              --mode <mode>           How. (values: fast, safe)
              --parts <parts>         Which. (values: a, b, c)
              --tag <tag>             A tag.
              --dry                   Only looks.
              --version               Show the version.
              -h, --help              Show help information.

            """
        for words in [["copy", "--help"], ["help", "copy"], ["copy", "a", "--depth", "1", "-h"]] {
            #expect(try help(words) == expected)
        }
    }

    @Test func `breaks long lines beside their column`() {
        let text = HelpText.wrap("one two three four five six", to: 40, indent: 26)
        #expect(text == "                          one two three four\n                          five six")
        #expect(HelpText.wrap("a\n\nb", to: 80, indent: 2) == "  a\n\n  b")
    }

    @Test func `names no options in the usage when there are many`() {
        let many = (0..<13).map { OptionDescription("o\($0)", .none, help: "") }
        let command = CommandDescription("many", abstract: "", options: many, body: { (_) throws(CommandFailure) in 0 })
        #expect(HelpText(path: [command], width: 80).usage == "many <options>")
    }
}
