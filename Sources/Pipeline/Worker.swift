internal import APNs
public import EventLoop
internal import HTTP2
internal import Kafka
internal import Observability
internal import Synchronization

/// A running replica: the lanes of Delivery and the one Intake, each on a thread of its own.
///
/// The parts start once Kafka answers and has the topics; `ready` is logged once each of them does its work, with or
/// without partitions. A part that cannot go on fails the whole worker: Kafka gives its partitions to others.
public final class Worker: Sendable {
    /// How long a topic may be missing before the worker gives up, in milliseconds.
    private static let missingTopicMillis: Int64 = 10_000
    /// How often key files are looked at, and Kafka where a part has met an error, in milliseconds.
    private static let watchMillis = 1_000

    struct Running {
        var threads: [WorkerThread] = []
        var states: [StageState] = []
        var signals: [EventSignal] = []
        var isReadySaid = false
        /// What the parts count.
        var delivery: [DeliveryMetrics] = []
        var intake: IntakeMetrics?
        /// What the start waits for.
        var startsAfter = "not started"
        /// Why Kafka did not answer when it was asked last; nil where it did.
        var kafkaProblem: String?
        /// How many errors of Kafka the parts had met when it was asked last.
        var kafkaErrorsSeen: UInt64 = 0
        var kafkaAskedAtMillis: Int64 = 0
    }

    let settings: WorkerSettings
    let log = Logger(label: "geopush")
    let stopRequest = StopRequest()
    private let wake: EventSignal
    let running = Mutex(Running())
    private let onFailure: @Sendable (WorkerFailure) -> Void

    /// Prepares a worker; nothing runs yet.
    ///
    /// - Parameters:
    ///   - settings: Checked settings.
    ///   - onFailure: Called once on any thread when the worker cannot go on; the process should end.
    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init(settings: WorkerSettings, onFailure: @escaping @Sendable (WorkerFailure) -> Void) throws(SystemError) {
        self.settings = settings
        self.onFailure = onFailure
        wake = try EventSignal()
    }

    /// Starts the threads; the first of them waits for Kafka.
    ///
    /// - Throws: ``SystemError`` when the system refuses a thread.
    public func start() throws(SystemError) {
        let supervisor = try WorkerThread(name: "geopush-worker") { [self] in supervise() }
        running.withLock { $0.threads.append(supervisor) }
    }

    /// Ends all parts: nothing new is taken, what is in flight may finish, positions are committed.
    ///
    /// - Parameter graceMillis: How long that may take.
    public func stop(graceMillis: Int64) {
        stopRequest.request(graceMillis: graceMillis)
        wake.raise()
        // The supervisor may be starting parts: it is the first thread, and is waited for before the rest.
        running.withLock { $0.threads.first }?.join()
        let (threads, signals) = running.withLock { ($0.threads, $0.signals) }
        for signal in signals { signal.raise() }
        for thread in threads { thread.join() }
    }

    /// Whether every part does its work.
    public var isReady: Bool {
        running.withLock { running in
            !running.states.isEmpty && running.states.allSatisfy { $0.phase == .running }
        }
    }

    // MARK: - The supervisor

    private func supervise() {
        guard awaitTopics() else { return }
        do {
            try startParts()
        } catch {
            return onFailure(WorkerFailure(kind: .fatal, message: "a thread could not be started: \(error)"))
        }
        watch()
    }

    /// Waits until Kafka answers and has all topics.
    ///
    /// - Returns: False when the worker should stop instead.
    private func awaitTopics() -> Bool {
        var missingSinceMillis: Int64?
        var pauseMillis = 250
        while stopRequest.requestedGraceMillis == nil {
            switch TopicCheck(settings).run() {
            case .present:
                running.withLock { $0.kafkaProblem = nil }
                return true
            case .missing(let topic):
                let since = missingSinceMillis ?? Clock.monotonicMillis()
                missingSinceMillis = since
                running.withLock { running in
                    running.startsAfter = "topic \(topic) does not exist"
                    running.kafkaProblem = nil
                }
                if Clock.monotonicMillis() - since >= Self.missingTopicMillis {
                    let advice = "create it with `geopush topics create`, or set kafka.topicPrefix"
                    onFailure(WorkerFailure(kind: .configuration, message: "topic \(topic) does not exist: \(advice)"))
                    return false
                }
                pauseMillis = 250
            case .unreachable(let reason):
                missingSinceMillis = nil
                running.withLock { running in
                    running.startsAfter = "Kafka does not answer"
                    running.kafkaProblem = reason
                }
                log.warning("Kafka is out of reach, trying again", ["kafka.error": reason])
                pauseMillis = min(pauseMillis * 2, 10_000)
            }
            _ = wake.wait(timeoutMillis: pauseMillis)
        }
        return false
    }

    private func startParts() throws(SystemError) {
        let connector = try Connector(threads: max(2, settings.delivery.lanes))
        var parts: [(StageState, EventSignal, @Sendable () -> Void)] = []
        var delivery: [DeliveryMetrics] = []
        var intake: IntakeMetrics?
        if settings.stages.contains(.delivery) {
            for index in 0..<settings.delivery.lanes {
                let metrics = DeliveryMetrics()
                delivery.append(metrics)
                let context = DeliveryLane.Context(
                    index: index,
                    settings: settings,
                    signal: try EventSignal(),
                    connector: connector,
                    state: state("delivery-\(index)", .delivery),
                    metrics: metrics,
                    stop: stopRequest,
                    fail: onFailure
                )
                parts.append((context.state, context.signal, { DeliveryLane.main(context) }))
            }
        }
        if settings.stages.contains(.intake) {
            let metrics = IntakeMetrics()
            intake = metrics
            let context = IntakeLoop.Context(
                settings: settings,
                signal: try EventSignal(),
                state: state("intake", .intake),
                metrics: metrics,
                stop: stopRequest,
                fail: onFailure
            )
            parts.append((context.state, context.signal, { IntakeLoop.main(context) }))
        }
        // All states stand before the first thread runs, or a fast part would make the worker ready without the others.
        running.withLock { [delivery, intake] running in
            running.states = parts.map(\.0)
            running.signals = parts.map(\.1)
            running.delivery = delivery
            running.intake = intake
        }
        for (state, _, body) in parts {
            let thread = try WorkerThread(name: state.name, body)
            running.withLock { $0.threads.append(thread) }
        }
    }

    private func state(_ name: String, _ stage: WorkerSettings.Stage) -> StageState {
        StageState(name: name, stage: stage) { [weak self] in self?.stateChanged() }
    }

    private func stateChanged() {
        let isNewlyReady = running.withLock { running in
            guard !running.isReadySaid, running.states.allSatisfy({ $0.phase == .running }) else { return false }
            running.isReadySaid = true
            return true
        }
        if isNewlyReady { log.notice("ready") }
    }

    private func watch() {
        while stopRequest.requestedGraceMillis == nil {
            checkKeyFiles()
            checkKafka()
            _ = wake.wait(timeoutMillis: Self.watchMillis)
        }
    }

    private func checkKeyFiles() {
        for app in settings.delivery.apps {
            switch app.token.checkFile(wallMillis: Clock.wallMillis(), nowMillis: Clock.monotonicMillis()) {
            case .unchanged: break
            case .recovered: log.notice("key file usable again", ["app": app.id])
            case .replaced:
                log.notice("key file replaced", ["app": app.id, "key": "\(app.token.identity)"])
                for signal in running.withLock({ $0.signals }) { signal.raise() }
            case .failed(let error):
                log.error("key file unusable, going on with the old key", ["app": app.id, "reason": "\(error)"])
            }
        }
    }
}
