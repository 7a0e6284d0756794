internal import APNs
internal import EventLoop
internal import Events
internal import Kafka
public import Observability
internal import Synchronization

extension Worker {
    private static let buildInfo = MetricDescription(
        "geopush_build_info",
        .gauge,
        labels: ["version", "librdkafka"],
        "Always 1; the versions stand in the labels."
    )
    private static let ready = MetricDescription("geopush_ready", .gauge, "1 where /readyz answers with 200, else 0.")
    private static let pollAge = MetricDescription(
        "geopush_poll_age_seconds",
        .gauge,
        labels: ["thread"],
        "How long ago each thread polled its consumer."
    )
    private static let assigned = MetricDescription(
        "geopush_assigned_partitions",
        .gauge,
        labels: ["stage"],
        "Partitions that this process has."
    )
    private static let commitLag = MetricDescription(
        "geopush_commit_lag_records",
        .gauge,
        labels: ["stage"],
        "Records of these partitions that wait or are not committed, as far as fetches have shown."
    )
    private static let kafkaErrors = MetricDescription(
        "geopush_kafka_errors_total",
        .counter,
        labels: ["stage", "code"],
        "Errors that Kafka or librdkafka reported, by librdkafka's name for them."
    )
    private static let tokenAge = MetricDescription(
        "geopush_provider_token_age_seconds",
        .gauge,
        labels: ["team", "key"],
        "How old the provider token of each key is; APNs takes it for an hour."
    )

    /// All metrics of a worker, in the order in which they are written.
    public static let metrics: [MetricDescription] =
        [buildInfo, ready, pollAge, assigned, commitLag, kafkaErrors, tokenAge]
        + DeliveryMetrics.descriptions + IntakeMetrics.descriptions

    /// All metrics as Prometheus reads them; to be asked from any thread.
    ///
    /// - Parameter version: The program's.
    /// - Returns: Text of the format 0.0.4.
    public func metricsText(version: String) -> String {
        var text = ExpositionText()
        let (states, delivery, intake) = running.withLock { ($0.states, $0.delivery, $0.intake) }
        text.begin(Self.buildInfo)
        text.sample(1, version, LibraryVersion.text)
        text.begin(Self.ready)
        text.sample(readiness.isReady ? 1 : 0)
        writeStages(states, to: &text)
        writeTokens(to: &text)
        DeliveryMetrics.write(delivery, intake, to: &text)
        IntakeMetrics.write(intake, to: &text)
        return text.text
    }

    private func writeStages(_ states: [StageState], to text: inout ExpositionText) {
        let stages = WorkerSettings.Stage.allCases.filter { settings.stages.contains($0) }
        text.begin(Self.pollAge)
        for thread in liveness.threads { text.seconds(millis: thread.ageMillis, thread.name) }
        text.begin(Self.assigned)
        for stage in stages {
            let partitions = states.reduce(0) { $0 + ($1.stage == stage ? $1.partitions.current : 0) }
            text.sample(partitions, stage.rawValue)
        }
        text.begin(Self.commitLag)
        for stage in stages {
            let lag = states.reduce(0) { $0 + ($1.stage == stage ? $1.lagRecords.current : 0) }
            text.sample(lag, stage.rawValue)
        }
        text.begin(Self.kafkaErrors)
        for stage in stages {
            var counts: [String: UInt64] = [:]
            for state in states where state.stage == stage { state.kafkaErrors.add(to: &counts) }
            for (code, count) in counts.sorted(by: { $0.key < $1.key }) { text.sample(count, stage.rawValue, code) }
        }
    }

    private func writeTokens(to text: inout ExpositionText) {
        text.begin(Self.tokenAge)
        let nowMillis = Clock.wallMillis()
        for token in AppTable(settings.delivery.apps).tokens {
            let age = nowMillis - token.issuedAtSeconds * 1_000
            text.seconds(millis: age, token.identity.teamID, token.identity.keyID)
        }
    }
}
