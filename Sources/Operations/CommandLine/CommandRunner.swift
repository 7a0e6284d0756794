/// Runs the command that a command line names.
public struct CommandRunner: Sendable {
    private let root: CommandDescription

    /// Makes a runner.
    ///
    /// - Parameter root: The program with its commands.
    public init(_ root: CommandDescription) {
        self.root = root
    }

    /// Runs a command line: help goes to standard output, complaints to standard error.
    ///
    /// - Parameter words: What stands behind the program's name.
    /// - Returns: The exit code; a command whose output could not be written has failed.
    public func run(_ words: [String]) -> Int32 {
        let code = call(words)
        guard code == ExitCode.success, let failure = StandardStream.outputFailure else { return code }
        StandardStream.error.write("Error: the output could not be written: \(failure)\n")
        return ExitCode.failure
    }

    private func call(_ words: [String]) -> Int32 {
        let call: CommandParser.Call
        do throws(CommandParser.Failure) {
            call = try CommandParser.parse(words, of: root)
        } catch {
            StandardStream.error.write(HelpText.complaint(error))
            return ExitCode.usage
        }
        switch call {
        case .help(let path):
            StandardStream.output.write(HelpText(path: path, width: StandardStream.output.columns).help + "\n")
            return ExitCode.success
        case .version(let version):
            StandardStream.output.write("\(version)\n")
            return ExitCode.success
        case .run(let command, let body, let arguments):
            if !command.waitsForSignals { TerminationSignals.unblock() }
            do throws(CommandFailure) {
                return try body(arguments)
            } catch {
                complain(error, words)
                return error.exitCode
            }
        }
    }

    private func complain(_ failure: CommandFailure, _ words: [String]) {
        guard failure.exitCode == ExitCode.usage else {
            StandardStream.error.write("Error: \(failure.message)\n")
            return
        }
        var path = [root]
        for word in words {
            guard let next = path.last?.subcommands.first(where: { $0.name == word }) else { break }
            path.append(next)
        }
        StandardStream.error.write(
            HelpText.complaint(CommandParser.Failure(message: failure.message, help: "", path: path))
        )
    }
}
