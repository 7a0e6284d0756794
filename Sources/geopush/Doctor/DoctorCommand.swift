internal import Operations

/// `geopush doctor`: looks at everything that a worker needs, and changes nothing.
enum DoctorCommand {
    static let description = CommandDescription(
        "doctor",
        abstract: "Looks at everything that a worker needs, and says what to do.",
        discussion: """
            A line for each: ok, or what is wrong and what to do. Sends no push and writes no record. The clock is \
            compared with the newest records, so only one that is behind can be found wrong. The exit code is 1 if \
            anything is wrong.
            """,
        options: Configuration.allOptions + [
            OptionDescription("json", .none, help: "One JSON object a line: check, ok, text.")
        ],
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        var report = Report(isJSON: arguments.has("json"))
        if let configuration = configuration(arguments, &report) {
            configuration.log.applyToCommand()
            report.add(MachineChecks(configuration).findings)
            report.add(AppChecks(configuration).findings)
            report.add([KnownDefects(configuration.kafka).finding])
            KafkaChecks(configuration).run { report.add([$0]) }
            report.add(APNsChecks(configuration).findings)
        }
        report.end()
        return report.wrong == 0 ? ExitCode.success : ExitCode.failure
    }

    /// Reads the configuration, without which there is nothing to look at.
    private static func configuration(_ arguments: ParsedArguments, _ report: inout Report) -> Configuration? {
        do throws(CommandFailure) {
            let reader = try Configuration.reader(arguments)
            do throws(ConfigurationError) {
                let (configuration, warnings) = try reader.read()
                report.add(warnings.map { .wrong("configuration", $0) })
                if warnings.isEmpty {
                    report.add([.right("configuration", arguments.text("config") ?? "no file, see geopush config")])
                }
                return configuration
            } catch {
                report.add(error.faults.map { .wrong("configuration", $0) })
            }
        } catch {
            report.add([.wrong("configuration", error.message)])
        }
        return nil
    }
}

/// What was found so far; each finding is printed when it comes.
private struct Report {
    private let isJSON: Bool
    private let isColoured = StandardStream.output.showsColours
    private var total = 0
    private(set) var wrong = 0

    init(isJSON: Bool) { self.isJSON = isJSON }

    mutating func add(_ findings: [Finding]) {
        for finding in findings {
            total += 1
            if !finding.isRight { wrong += 1 }
            StandardStream.output.write(isJSON ? finding.json : finding.line(isColoured: isColoured))
        }
    }

    func end() {
        guard !isJSON else { return }
        let verb = wrong == 1 ? "is" : "are"
        StandardStream.output.write(wrong == 0 ? "All is well.\n" : "\(wrong) of \(total) \(verb) wrong.\n")
    }
}
