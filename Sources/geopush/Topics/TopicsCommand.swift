internal import Kafka
internal import Operations

/// `geopush topics`: makes the topics, or says how they are.
enum TopicsCommand {
    private static let partitionsByDefault = 8

    static let description = CommandDescription(
        "topics",
        abstract: "Creates or describes the topics.",
        subcommands: [
            CommandDescription(
                "create",
                abstract: "Creates the topics that are missing, and says where the others differ.",
                discussion: "Topics that exist are left as they are. Returns when every broker knows all topics.",
                options: options(partitions: "How many partitions each topic gets.", "\(partitionsByDefault)"),
                body: create
            ),
            CommandDescription(
                "describe",
                abstract: "Says how the topics are, and where they differ from what geopush needs.",
                discussion: "The exit code is 1 if a topic is missing or differs, and 0 if all is as it should be.",
                options: options(partitions: "How many partitions each topic should have; by default any number."),
                body: describe
            ),
        ]
    )

    private static func options(partitions help: String, _ defaultText: String = "") -> [OptionDescription] {
        Configuration.sharedOptions + [
            OptionDescription(
                "partitions",
                .integer(1...10_000),
                valueName: "n",
                help: help,
                default: defaultText
            ),
            OptionDescription(
                "replication",
                .integer(1...32_767),
                valueName: "n",
                help: "How many copies of each partition; by default what the brokers say."
            ),
        ]
    }

    @Sendable
    private static func create(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let topics = try TopicsOfCommand(arguments, partitionsByDefault)
        return try topics.create()
    }

    @Sendable
    private static func describe(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let topics = try TopicsOfCommand(arguments, partitionsByDefault)
        return try topics.describe()
    }
}

/// The topics of one call, and the client that reaches them.
private struct TopicsOfCommand {
    private static let timeoutMillis = 30_000
    /// How long a first answer of any broker may take.
    private static let contactMillis = 10_000

    private let admin: Admin
    private let table: TopicTable
    private let kafka: Configuration.Kafka
    /// Whether the call says how many partitions there should be.
    private let namesPartitions: Bool

    init(_ arguments: ParsedArguments, _ partitionsByDefault: Int) throws(CommandFailure) {
        let configuration = try Configuration.load(arguments).configuration
        configuration.log.applyToCommand()
        kafka = configuration.kafka
        namesPartitions = arguments.has("partitions")
        table = TopicTable(
            prefix: kafka.topicPrefix,
            apps: configuration.apps,
            partitions: arguments.integer("partitions") ?? partitionsByDefault,
            replication: arguments.integer("replication") ?? -1
        )
        do throws(KafkaError) {
            admin = try Admin(kafka.settings(forCommand: "topics"))
        } catch {
            throw .configuration("\(error.message): correct kafka.properties")
        }
        try reach { () throws(KafkaError) in
            _ = try admin.contact(timeoutMillis: Self.contactMillis)
        }
    }

    func create() throws(CommandFailure) -> Int32 {
        let specifications = table.specifications
        let names = specifications.map(\.name)
        let outcomes = try reach { () throws(KafkaError) in
            try admin.create(specifications, timeoutMillis: Self.timeoutMillis)
        }
        var failed = 0
        for (topic, outcome) in zip(specifications, outcomes) {
            if case .failed(let error) = outcome {
                failed += 1
                say("failed   \(topic.name): \(error.message)")
            }
        }
        guard failed == 0 else { throw .runtime("\(failed) of \(names.count) topics could not be created") }
        try reach { () throws(KafkaError) in
            try admin.waitUntilKnown(names, timeoutMillis: Self.timeoutMillis)
        }
        let found = try reach { () throws(KafkaError) in
            try admin.describe(names, timeoutMillis: Self.timeoutMillis)
        }
        for (index, topic) in specifications.enumerated() {
            let word = outcomes[index] == .created ? "created" : "exists "
            if let description = found[index] { say(topic, description, word) }
        }
        warnOfCopartitioning(found.compactMap(\.self))
        return ExitCode.success
    }

    func describe() throws(CommandFailure) -> Int32 {
        let specifications = table.specifications
        let found = try reach { () throws(KafkaError) in
            try admin.describe(specifications.map(\.name), timeoutMillis: Self.timeoutMillis)
        }
        var isRight = true
        for (topic, description) in zip(specifications, found) {
            if let description {
                isRight = say(topic, description, "exists ") && isRight
            } else {
                say("missing  \(topic.name)")
            }
        }
        if warnOfCopartitioning(found.compactMap(\.self)) { isRight = false }
        guard !found.contains(nil) else { throw .runtime("topics are missing: geopush topics create makes them") }
        return isRight ? ExitCode.success : ExitCode.failure
    }

    /// Says how a topic is.
    ///
    /// - Returns: Whether it is as it should be.
    @discardableResult
    private func say(_ topic: TopicSpecification, _ found: TopicDescription, _ word: String) -> Bool {
        let copies = found.replication == 1 ? "1 copy" : "\(found.replication) copies"
        let settings = topic.settings.map { "\($0.0)=\(found.settings[$0.0]?.value ?? "?")" }
        say("\(word)  \(found.name): \(found.partitions) partitions, \(copies), \(settings.joined(separator: " "))")
        let differences = TopicTable.differences(found, from: topic, partitions: namesPartitions)
        for difference in differences { say("differs  \(found.name): \(difference)") }
        return differences.isEmpty
    }

    /// Says so where topics that are read side by side have different numbers of partitions.
    @discardableResult
    private func warnOfCopartitioning(_ found: [TopicDescription]) -> Bool {
        let counts = found.filter { table.copartitioned.contains($0.name) }
        guard Set(counts.map(\.partitions)).count > 1 else { return false }
        let list = counts.map { "\($0.name) \($0.partitions)" }.joined(separator: ", ")
        say("differs  these must have equally many partitions: \(list)")
        return true
    }

    private func say(_ line: String) { StandardStream.output.write(line + "\n") }

    private func reach<Value>(_ body: () throws(KafkaError) -> Value) throws(CommandFailure) -> Value {
        do throws(KafkaError) {
            return try body()
        } catch {
            throw .unreachable(kafka, error)
        }
    }
}
