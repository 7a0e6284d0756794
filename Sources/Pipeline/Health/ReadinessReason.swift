/// Why a worker does not do all of its work now.
public struct ReadinessReason: Equatable, Sendable {
    /// The kinds of reasons.
    public enum Code: String, Sendable, CaseIterable {
        case starting
        case stopping
        case notAssigned = "not-assigned"
        case kafkaUnreachable = "kafka-unreachable"
        case apnsUnreachable = "apns-unreachable"
        case keyHalted = "key-halted"
        case appHeld = "app-held"
        case suspended
        case hanging

        /// What it means, in one sentence.
        public var meaning: String {
            switch self {
            case .starting: "A stage does not run yet: the detail says what it waits for."
            case .stopping: "The worker was asked to stop and drains."
            case .notAssigned: "The group has given a stage no assignment, not even an empty one, for 30 seconds."
            case .kafkaUnreachable: "A question to Kafka, asked after an error, had no answer within 2 seconds."
            case .apnsUnreachable: "No connection to APNs can be had; it is tried again after 1 to 60 seconds."
            case .keyHalted: "APNs refuses a key, so that its pushes wait: the detail names team, key and cause."
            case .appHeld: "APNs refuses the topic of an app, so that its pushes wait."
            case .suspended: "A lane stood still and sends nothing until its group answers a commit."
            case .hanging: "A thread has not polled its consumer for 30 seconds; `/livez` says so, too."
            }
        }
    }

    /// How long a stage may be without an assignment, as in a rebalance, before that is a reason; in milliseconds.
    static let unassignedMillisMax: Int64 = 30_000

    /// Its kind.
    public let code: Code
    /// The part of the worker that says it, such as `delivery-0`; `worker` for the whole.
    public let stage: String
    /// What it is about; no secret, no device token.
    public let detail: String

    /// Makes a reason.
    public init(_ code: Code, stage: String, detail: String = "") {
        self.code = code
        self.stage = stage
        self.detail = detail
    }
}

/// Whether a worker does its work.
public struct Readiness: Equatable, Sendable {
    /// One part of the worker.
    public struct Stage: Equatable, Sendable {
        /// Its name, such as `delivery-0`.
        public let name: String
        /// It does its work.
        public let isRunning: Bool
        /// The partitions that it has.
        public let partitions: Int64
        /// The records that wait in them, or are not finished.
        public let lagRecords: Int64
    }

    /// Why not; empty means that it is ready.
    public let reasons: [ReadinessReason]
    /// Its parts; none before Kafka has answered.
    public let stages: [Stage]

    /// No reason speaks against it.
    public var isReady: Bool { reasons.isEmpty }
}

/// Whether the threads of a worker turn.
public struct Liveness: Equatable, Sendable {
    /// One thread.
    public struct Thread: Equatable, Sendable {
        /// Its name, such as `delivery-0`.
        public let name: String
        /// How long ago it polled its consumer last, in milliseconds.
        public let ageMillis: Int64
    }

    /// How long a thread may not turn, in milliseconds: more than any call of it may take.
    public static let limitMillis: Int64 = 30_000

    /// The threads of all parts that have not ended.
    public let threads: [Thread]

    /// The threads that do not turn.
    public var hanging: [Thread] { threads.filter { $0.ageMillis > Self.limitMillis } }

    /// Every thread turns.
    public var isAlive: Bool { hanging.isEmpty }
}
