internal import EventLoop
internal import Observability
internal import Synchronization

extension Worker {
    /// How long Kafka may take to answer when it is asked after an error, in milliseconds.
    private static let kafkaAnswerMillis = 2_000
    /// How long a good answer is enough, however many errors follow it, in milliseconds.
    private static let kafkaPauseMillis: Int64 = 5_000

    /// Whether the threads turn; to be asked from any thread.
    public var liveness: Liveness {
        let nowMillis = Clock.monotonicMillis()
        let states = running.withLock { $0.states }
        return Liveness(
            threads: states.filter { $0.phase != .stopped }.map { state in
                Liveness.Thread(name: state.name, ageMillis: state.ageMillis(nowMillis: nowMillis))
            }
        )
    }

    /// Whether the worker does all of its work; to be asked from any thread.
    public var readiness: Readiness {
        let (states, startsAfter, kafkaProblem) = running.withLock { ($0.states, $0.startsAfter, $0.kafkaProblem) }
        var reasons: [ReadinessReason] = []
        if stopRequest.requestedGraceMillis != nil { reasons.append(ReadinessReason(.stopping, stage: "worker")) }
        if let kafkaProblem {
            reasons.append(ReadinessReason(.kafkaUnreachable, stage: "worker", detail: kafkaProblem))
        }
        if states.isEmpty { reasons.append(ReadinessReason(.starting, stage: "worker", detail: startsAfter)) }
        for state in states {
            if case .starting(let detail) = state.phase {
                reasons.append(ReadinessReason(.starting, stage: state.name, detail: detail))
            }
            reasons += state.problems
        }
        // Its partitions may be others' by now, which only it could say.
        for thread in liveness.hanging {
            reasons.append(ReadinessReason(.hanging, stage: thread.name, detail: "for \(thread.ageMillis / 1_000) s"))
        }
        return Readiness(reasons: reasons, stages: states.map(stage))
    }

    private func stage(_ state: StageState) -> Readiness.Stage {
        Readiness.Stage(
            name: state.name,
            isRunning: state.phase == .running,
            partitions: state.partitions.current,
            lagRecords: state.lagRecords.current
        )
    }

    /// Asks Kafka whether it is there, once a part has met an error, and then until it answers.
    ///
    /// An error alone proves nothing, and librdkafka does not say when the brokers are back; blocks for two seconds at
    /// most.
    func checkKafka() {
        let (states, seen, problem) = running.withLock { ($0.states, $0.kafkaErrorsSeen, $0.kafkaProblem) }
        let nextMillis = running.withLock { $0.kafkaAskedAtMillis } + Self.kafkaPauseMillis
        let errors = states.reduce(0) { $0 &+ $1.kafkaErrors.total }
        guard problem != nil || (errors != seen && Clock.monotonicMillis() >= nextMillis) else { return }
        var found: String?
        if case .unreachable(let reason) = TopicCheck(settings, timeoutMillis: Self.kafkaAnswerMillis).run() {
            found = reason
        }
        if found != nil, problem == nil { log.warning("Kafka is out of reach", ["kafka.error": found ?? ""]) }
        if found == nil, problem != nil { log.notice("Kafka answers again") }
        running.withLock { running in
            running.kafkaErrorsSeen = errors
            running.kafkaAskedAtMillis = Clock.monotonicMillis()
            running.kafkaProblem = found
        }
    }
}
