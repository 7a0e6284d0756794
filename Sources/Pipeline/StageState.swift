internal import EventLoop
internal import Observability
internal import Synchronization

/// What a running part of the worker says of itself; shared between its thread and the worker's.
final class StageState: Sendable {
    /// How far it is.
    enum Phase: Equatable, Sendable {
        /// It does not do its work yet, for this reason.
        case starting(String)
        /// It does its work, with or without partitions.
        case running
        /// It has ended as asked.
        case stopped
    }

    /// Its name, such as `delivery-0`.
    let name: String
    /// The stage that it is a part of, such as `delivery`.
    let stage: WorkerSettings.Stage
    /// The partitions that it has.
    let partitions = Gauge()
    /// The records of its partitions that are not committed, as far as its fetches have shown.
    let lagRecords = Gauge()
    /// The errors of Kafka that it has met.
    let kafkaErrors = KafkaErrorCounts()
    private let turnedAtMillis = Gauge()
    private let problemsValue = Mutex<[ReadinessReason]>([])
    private let phaseValue = Mutex(Phase.starting("not started"))
    private let changed: @Sendable () -> Void

    /// Makes the state of a part; `changed` is called on its thread after each change.
    init(name: String, stage: WorkerSettings.Stage, changed: @escaping @Sendable () -> Void) {
        self.name = name
        self.stage = stage
        self.changed = changed
        turnedAtMillis.set(Clock.monotonicMillis())
    }

    /// How far it is now.
    var phase: Phase { phaseValue.withLock { $0 } }

    /// What keeps it from doing all of its work.
    var problems: [ReadinessReason] { problemsValue.withLock { $0 } }

    /// Says what keeps it from doing all of its work; on its thread, not for one push.
    func report(_ problems: [ReadinessReason]) { problemsValue.withLock { $0 = problems } }

    /// Notes that its thread has polled its consumer.
    @inline(__always)
    func turned(nowMillis: Int64) { turnedAtMillis.set(nowMillis) }

    /// How long ago that was, in milliseconds.
    func ageMillis(nowMillis: Int64) -> Int64 { max(0, nowMillis - turnedAtMillis.current) }

    /// Notes a change.
    func become(_ phase: Phase) {
        let isNew = phaseValue.withLock { current in
            defer { current = phase }
            return current != phase
        }
        if isNew { changed() }
    }
}

/// Why a worker cannot go on.
public struct WorkerFailure: Error, Sendable {
    /// Who must act.
    public enum Kind: Sendable {
        /// The configuration or the topics: exit code 78.
        case configuration
        /// A fatal error at run time: exit code 1.
        case fatal
    }

    /// Who must act.
    public let kind: Kind
    /// One sentence: what failed and what to do.
    public let message: String
}

/// When the parts of a worker should end.
final class StopRequest: Sendable {
    private let graceMillis = Atomic<Int64>(-1)

    /// Asks every part to end within a time; raise their signals afterwards.
    func request(graceMillis: Int64) {
        self.graceMillis.store(max(0, graceMillis), ordering: .releasing)
    }

    /// The grace that was given, once asked; nil before.
    var requestedGraceMillis: Int64? {
        let value = graceMillis.load(ordering: .acquiring)
        return value < 0 ? nil : value
    }
}
