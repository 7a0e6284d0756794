internal import Events
internal import Kafka
internal import Operations

/// `geopush publish`: checks events and finished pushes, then sends them to their topic.
enum PublishCommand {
    static let description = CommandDescription(
        "publish",
        abstract: "Publishes events or finished pushes.",
        discussion: """
            The file holds one of them, an array, or one a line. All are checked before the first is sent. Prints a \
            JSON line for each: type, id, topic, partition, offset.
            """,
        arguments: [
            OptionDescription(
                "kind",
                .choice(PublishKind.allCases.map(\.rawValue)),
                help: "What is published.",
                isRequired: true
            ),
            OptionDescription("file", .text, help: "A file, or - for standard input.", isRequired: true),
        ],
        options: Configuration.sharedOptions + [
            OptionDescription("dry-run", .none, help: "Check and print, but send nothing.")
        ],
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let configuration = try Configuration.load(arguments).configuration
        configuration.log.applyToCommand()
        let kind = arguments.text("kind").flatMap { PublishKind(rawValue: $0) }
        let file = try EventFile(arguments.text("file") ?? "-", kind: kind, configuration)
        file.complain()
        let messages = file.plan.messages
        guard file.plan.faults.isEmpty else {
            throw .runtime("nothing was published: correct \(file.name)")
        }
        if arguments.has("dry-run") {
            for message in messages { print(message, topic: topic(of: message, configuration), place: nil) }
            return ExitCode.success
        }
        let publisher = try EventPublisher(configuration.kafka)
        let topics = messages.map { topic(of: $0, configuration) }
        let outcome = try publisher.publish(zip(messages, topics).map { ($0, $1) })
        for (index, message) in messages.enumerated() {
            print(message, topic: topics[index], place: outcome.places[index])
        }
        let missing = outcome.places.count { $0 == nil }
        guard missing == 0 else {
            throw .runtime("\(missing) of \(messages.count) were not acknowledged \(advice(outcome.failure))")
        }
        return ExitCode.success
    }

    /// What to do about records that were not acknowledged.
    private static func advice(_ failure: KafkaError?) -> String {
        guard let failure else { return "in time: publish those whose line has no offset again" }
        guard failure.code != KafkaError.messageSizeTooLarge else {
            return "(\(failure)): make those whose line has no offset smaller, such as with fewer devices in each"
        }
        return "(\(failure)): publish those whose line has no offset again"
    }

    private static func topic(of message: PublishMessage, _ configuration: Configuration) -> String {
        let prefix = configuration.kafka.topicPrefix
        guard message.kind == .push else { return "\(prefix)\(message.kind.rawValue)-events" }
        let app = configuration.apps.first { message.apnsTopic == $0.topic }
        return app?.pushesTopic ?? prefix + "pushes"
    }

    private static func print(_ message: PublishMessage, topic: String, place: EventPublisher.Place?) {
        var id = message.id
        if id == nil, let place { id = "\(topic)/\(place.partition)/\(place.offset)" }
        var line = "{\"type\":\(JSONText.quoted(message.type))"
        if let id { line += ",\"id\":\(JSONText.quoted(id))" }
        line += ",\"topic\":\(JSONText.quoted(topic))"
        if let place { line += ",\"partition\":\(place.partition),\"offset\":\(place.offset)" }
        StandardStream.output.write(line + "}\n")
    }
}
