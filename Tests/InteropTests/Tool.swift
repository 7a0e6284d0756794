import Foundation
import Testing

/// Programs of others that judge ours, run as child processes.
enum Tool {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let python = "\(root)/.build/venv/bin/python"

    static let hasPython = FileManager.default.isExecutableFile(atPath: python)
    static let pythonComment: Comment = "there is no .build/venv with the Python clients: run make setup"

    /// What a program printed, and its exit code.
    struct Output {
        let code: Int32
        let text: String
        let errors: String
    }

    static func path(of name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        let folders: [Substring] = path.split(separator: ":") + ["/usr/sbin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func isInstalled(_ name: String) -> Bool { path(of: name) != nil }

    /// Runs a program to its end, a minute at most.
    static func run(_ name: String, _ arguments: [String], input: Data = Data()) throws -> Output {
        let process = Process()
        let path = try #require(name.hasPrefix("/") ? name : path(of: name))
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["60", path] + arguments
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        // All inputs are smaller than a pipe, so that this does not wait for the program.
        stdin.fileHandleForWriting.write(input)
        try stdin.fileHandleForWriting.close()
        let text = stdout.fileHandleForReading.readDataToEndOfFile()
        let errors = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Output(
            code: process.terminationStatus,
            text: String(decoding: text, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self)
        )
    }

    /// Runs one of the Python clients with its task, and reads its answer.
    static func client<Task: Encodable, Answer: Decodable>(
        _ name: String,
        _ task: Task,
        as answer: Answer.Type
    ) throws -> Answer {
        let input = try JSONEncoder().encode(task)
        let output = try run(python, ["\(root)/Tests/InteropTests/Clients/\(name).py"], input: input)
        try #require(output.code == 0, "\(name) failed: \(output.errors)")
        return try JSONDecoder().decode(answer, from: Data(output.text.utf8))
    }
}
