internal import APNs
internal import Kafka
internal import Observability
internal import Operations
internal import Pipeline

/// `geopush worker`: runs the stages until a signal.
enum WorkerCommand {
    private static let stages = WorkerSettings.Stage.allCases.map(\.rawValue)

    static let description = CommandDescription(
        "worker",
        abstract: "Runs the stages that turn events into pushes, and pushes into receipts.",
        discussion: """
            Logs to standard error, and says "ready" once every stage runs. SIGTERM and SIGINT drain and commit; a \
            second one ends at once. Each option is also a key of the configuration file and a variable: \
            --delivery-lanes is delivery.lanes and GEOPUSH_DELIVERY_LANES.
            """,
        options: [
            OptionDescription(
                "stages",
                .choices(stages),
                help: "Which stages run in this process, separated by commas.",
                default: stages.joined(separator: ",")
            )
        ] + Configuration.allOptions,
        waitsForSignals: true,
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let (configuration, warnings) = try Configuration.load(arguments)
        configuration.log.applyToWorker()
        let log = Logger(label: "geopush")
        for warning in warnings { log.warning("odd variable", ["reason": warning]) }
        let names = arguments.choices("stages") ?? stages
        let settings = try configuration.workerSettings(
            stages: Set(names.compactMap { WorkerSettings.Stage(rawValue: $0) }),
            tokens: ProviderTokens()
        )
        log.notice(
            "starting",
            [
                "version": Geopush.version, "librdkafka.version": LibraryVersion.text,
                "instance": settings.kafka.instance, "stages": names.joined(separator: ","),
                "kafka.bootstrap.servers": settings.kafka.bootstrapServers, "lanes": "\(settings.delivery.lanes)",
            ]
        )
        let operations = configuration.operations
        return try WorkerRun(settings, admin: operations.listen, graceSeconds: operations.shutdownGraceSeconds).run()
    }
}
