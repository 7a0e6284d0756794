internal import EventLoop
internal import Events
internal import Operations

/// A file of events, read and checked.
struct EventFile {
    /// What `-` is called in messages.
    static let inputName = "standard input"

    /// The file's name in messages.
    let name: String
    /// Its events, or what is wrong with them.
    let plan: PublishPlan

    /// Reads and checks a file.
    ///
    /// - Parameters:
    ///   - path: The path, or `-`.
    ///   - kind: What its events must be; nil to find out for each.
    ///   - configuration: Names the apps.
    /// - Throws: A failure that says why the file cannot be read.
    init(_ path: String, kind: PublishKind?, _ configuration: Configuration) throws(CommandFailure) {
        name = path == "-" ? Self.inputName : path
        let input: [UInt8]
        do throws(SystemError) {
            input = try FileContent.read(path)
        } catch {
            throw .runtime("\(name) cannot be read (\(error)): check the path")
        }
        plan = PublishPlan(
            input: input,
            kind: kind,
            apps: configuration.apps.map { EventApp(id: $0.id, topic: $0.topic) },
            nowMillis: Clock.wallMillis()
        )
    }

    /// Says on standard error what is odd and what is wrong, a line for each.
    func complain() {
        for warning in plan.warnings { StandardStream.error.write("Warning: \(name): \(warning)\n") }
        for fault in plan.faults { StandardStream.error.write("Error: \(name): \(fault)\n") }
    }
}
