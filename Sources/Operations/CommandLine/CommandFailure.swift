/// Why a command ended without doing its work.
public struct CommandFailure: Error, Equatable, CustomStringConvertible {
    /// The exit code.
    public let exitCode: Int32
    /// What failed, and what to do.
    public let message: String

    /// Makes a failure at run time: exit code 1.
    public static func runtime(_ message: String) -> CommandFailure {
        CommandFailure(exitCode: ExitCode.failure, message: message)
    }

    /// Makes a failure of the configuration, a key file or a topic: exit code 78.
    public static func configuration(_ message: String) -> CommandFailure {
        CommandFailure(exitCode: ExitCode.configuration, message: message)
    }

    /// Makes a failure of the command line: exit code 64, and the usage is shown with it.
    public static func usage(_ message: String) -> CommandFailure {
        CommandFailure(exitCode: ExitCode.usage, message: message)
    }

    /// The message.
    public var description: String { message }
}
