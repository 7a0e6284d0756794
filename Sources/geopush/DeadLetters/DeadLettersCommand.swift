internal import EventLoop
internal import Kafka
internal import Operations

/// `geopush dead-letters`: lists and shows what could not be used, and sends it back.
enum DeadLettersCommand {
    static let description = CommandDescription(
        "dead-letters",
        abstract: "Lists dead letters, shows one, or sends them back to their topic.",
        discussion: """
            Without places: all there are. A place is that of the dead letter itself, as the list shows it. Reads \
            without a group. --requeue writes the original key, value and headers once more and leaves the dead \
            letter where it is; what is still faulty becomes a new one.
            """,
        arguments: [
            OptionDescription(
                "place",
                .text,
                valueName: "partition:offset",
                help: "Only these dead letters.",
                isRepeating: true
            )
        ],
        options: Configuration.sharedOptions + [
            OptionDescription("code", .text, help: "Only with this code."),
            OptionDescription("topic", .text, valueName: "name", help: "Only from this topic, with or without prefix."),
            OptionDescription(
                "since",
                .text,
                valueName: "time",
                help: "Only from then on: 2026-12-01T09:30:00Z, or 90s, 15m, 2h, 7d ago."
            ),
            OptionDescription("follow", .none, help: "List what comes from now on, until a signal."),
            OptionDescription("json", .none, help: "One JSON object a line."),
            OptionDescription(
                "show",
                .none,
                help: "Show the one at the place in full; in a file or a pipe, its bytes as they came."
            ),
            OptionDescription("requeue", .none, help: "Send those back that are named, or all that match with --yes."),
            OptionDescription("yes", .none, help: "With --requeue: send back all that match."),
        ],
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let configuration = try Configuration.load(arguments).configuration
        configuration.log.applyToCommand()
        let kafka = configuration.kafka
        let filter = try DeadLetterFilter(
            arguments,
            topicPrefix: kafka.topicPrefix,
            nowMillis: Clock.wallMillis()
        )
        let modes = ["show", "requeue", "follow"].filter(arguments.has)
        guard modes.count <= 1 else { throw .usage("--\(modes[0]) and --\(modes[1]) do not go together") }
        guard !arguments.has("yes") || arguments.has("requeue") else { throw .usage("--yes goes with --requeue") }
        let command = DeadLetters(kafka, filter, isJSON: arguments.has("json"))
        switch modes.first {
        case "show":
            guard filter.places.count == 1 else { throw .usage("--show needs one place, such as 0:12") }
            try command.show()
        case "requeue" where !filter.places.isEmpty || arguments.has("yes"): try command.requeue()
        case "requeue": try command.refuseToRequeue()
        default:
            guard modes.isEmpty || filter.places.isEmpty else { throw .usage("--follow takes no place") }
            try command.list(isFollowing: !modes.isEmpty)
        }
        return ExitCode.success
    }
}

/// The dead letters that one call is about.
private struct DeadLetters {
    private let kafka: Configuration.Kafka
    private let filter: DeadLetterFilter
    private let isJSON: Bool

    init(_ kafka: Configuration.Kafka, _ filter: DeadLetterFilter, isJSON: Bool) {
        self.kafka = kafka
        self.filter = filter
        self.isJSON = isJSON
    }

    /// Lists them.
    ///
    /// - Parameter isFollowing: List what comes in the place of what is there.
    /// - Throws: A failure that says what is not there, or does not answer.
    func list(isFollowing: Bool = false) throws(CommandFailure) {
        _ = try print(isFollowing: isFollowing)
    }

    private func print(isFollowing: Bool = false) throws(CommandFailure) -> Int {
        let source = RecordSource(kafka, topic: "dead-letters", isFollowing: isFollowing)
        try source.open(from: isFollowing ? .end : filter.start)
        if !isJSON { StandardStream.output.write(DeadLetterText.header) }
        var count = 0
        let missing = try read(source) { letter in
            count += 1
            return StandardStream.output.write(isJSON ? letter.json(isFull: false) : DeadLetterText.line(letter))
        }
        try complain(of: missing)
        return count
    }

    /// Shows one in full.
    func show() throws(CommandFailure) {
        let source = RecordSource(kafka, topic: "dead-letters")
        try source.open(from: filter.start)
        var found: DeadLetter?
        try complain(
            of: try read(source) { letter in
                found = letter
                return false
            }
        )
        guard let found else { return }
        if isJSON {
            StandardStream.output.write(found.json(isFull: true))
        } else if StandardStream.output.isTerminal {
            StandardStream.output.write(DeadLetterText.page(found))
        } else if found.omitted.contains("value") {
            throw .runtime("\(found.place) was too large to be kept, only its headers are there: see --json")
        } else {
            StandardStream.output.write(found.value ?? [])
        }
    }

    /// Sends them back, and says for each where it went.
    func requeue() throws(CommandFailure) {
        // A signal must not end it before it has said what is sent already: asked again, it would send that twice.
        let source = RecordSource(kafka, topic: "dead-letters", stopsAtSignal: true)
        try source.open(from: filter.start)
        let requeuer = try DeadLetterRequeuer(kafka, isJSON: isJSON)
        let missing = try read(source) { letter in
            requeuer.send(letter)
            return !source.isStopped
        }
        requeuer.finish()
        guard !source.isStopped else {
            throw .runtime("stopped by a signal: only the \(requeuer.sent) that are named above were sent back")
        }
        try complain(of: missing)
        guard requeuer.unsent == 0 else {
            throw .runtime("\(requeuer.unsent) of \(requeuer.total) were not sent back, see above")
        }
    }

    /// Lists what would be sent back.
    func refuseToRequeue() throws(CommandFailure) {
        let count = try print()
        throw .runtime("nothing was sent back: name places, or add --yes for \(count == 1 ? "this" : "these \(count)")")
    }

    /// Reads those that match, until the last that is named is found.
    ///
    /// - Returns: The places where there is none.
    private func read(
        _ source: RecordSource,
        _ body: (DeadLetter) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Set<RecordPlace> {
        var missing = filter.places
        try source.read { (record) throws(CommandFailure) in
            let place = RecordPlace(partition: record.partition, offset: record.offset)
            guard filter.places.isEmpty || missing.remove(place) != nil else { return true }
            let letter = DeadLetter(record)
            guard filter.matches(letter) else { return true }
            return try body(letter) && (filter.places.isEmpty || !missing.isEmpty)
        }
        return missing
    }

    private func complain(of missing: Set<RecordPlace>) throws(CommandFailure) {
        guard !missing.isEmpty else { return }
        let list = missing.sorted { ($0.partition, $0.offset) < ($1.partition, $1.offset) }.map(\.description)
        throw .runtime("no dead letter at \(list.joined(separator: ", "))")
    }
}
