internal import EventLoop

/// `bench latency`: how long a push takes from its event to APNs while events come steadily, beside a C program that
/// does the same transactions.
///
/// Both have topics of their own on one broker, and a simulator in another process that writes down when it saw a
/// push. Ours is one worker; beside it the C program does intake and our worker delivers.
struct LatencyBench {
    /// What one round came to.
    struct Result {
        let ours: Run
        let plainC: Run

        var ratio: Double { ours.p99Millis / plainC.p99Millis }
    }

    /// How long the pushes of one pipeline took.
    struct Run {
        let p50Millis: Double
        let p99Millis: Double
        /// Of the processes of the pipeline, a push.
        let cpuMicros: Double
    }

    /// What is not counted: connections and caches are made then.
    static let warmUpSeconds = 2
    private static let startSeconds: Int64 = 40
    private static let endSeconds: Int64 = 30

    let bootstrapServers: String
    let eventsPerSecond: Int
    let seconds: Int
    let rounds: Int

    /// Runs some rounds.
    ///
    /// - Returns: The round with the median ratio.
    func run() throws -> Result {
        let results = try (0..<rounds).map { _ in try round() }
        return results.sorted { $0.ratio < $1.ratio }[results.count / 2]
    }

    private func round() throws -> Result {
        let directory = try TemporaryDirectory()
        try directory.writeProviderKey("key.p8")
        let ours = try measure("latency", directory) { topics, simulator in
            [try topics.startWorker(stages: "intake,delivery", in: directory, for: simulator)]
        }
        let plainC = try measure("latency-c", directory) { topics, simulator in
            let program = IntakeBaseline(
                bootstrapServers: bootstrapServers,
                events: topics.events,
                pushes: topics.pushes
            )
            return [
                try topics.startWorker(stages: "delivery", in: directory, for: simulator),
                try program.start(count: events + 1, seconds: seconds + Int(Self.startSeconds + Self.endSeconds)),
            ]
        }
        return Result(ours: ours, plainC: plainC)
    }

    private var events: Int { eventsPerSecond * seconds }

    /// Runs a pipeline until all events are delivered; its first process is ended, the others end by themselves.
    private func measure(
        _ name: String,
        _ directory: TemporaryDirectory,
        _ start: (BenchTopics, BenchSimulator) throws -> [ChildProcess]
    ) throws -> Run {
        let topics = BenchTopics(bootstrapServers: bootstrapServers, name: name)
        try topics.create()
        let simulator = try BenchSimulator(in: directory, name: name)
        let load = try EventLoad(topics, devicesPerEvent: 1, lingerMillis: 0)
        let processes = try start(topics, simulator)
        // The first event waits until all have found each other.
        try load.put(0, devices: 0..<1)
        _ = try simulator.wait(forDevices: 1, seconds: Self.startSeconds)
        let produced = try produce(load)
        let seen = try simulator.wait(forDevices: events + 1, seconds: Self.endSeconds)
        processes.first?.terminate()
        let spent = processes.map { $0.wait() }
        simulator.stop()
        if let failed = spent.first(where: { $0.exitCode != 0 }) {
            throw BenchError("a process of \(name) ended with exit code \(failed.exitCode)")
        }
        let counted = produced.dropFirst(Self.warmUpSeconds * eventsPerSecond).compactMap { device, millis in
            seen[device].map { BenchSimulator.latency(seenMillis: $0, producedMillis: millis) }
        }.sorted()
        guard let last = counted.last else { throw BenchError("nothing was measured") }
        return Run(
            p50Millis: Double(counted[counted.count / 2]),
            p99Millis: Double(counted.count < 100 ? last : counted[counted.count * 99 / 100]),
            cpuMicros: spent.reduce(0) { $0 + $1.cpuMicros } / Double(events)
        )
    }

    /// Produces an event with one device each at a steady rate.
    ///
    /// - Returns: The device of each event with the time at which it was produced.
    private func produce(_ load: EventLoad) throws -> [(device: Int, millis: Int64)] {
        let pause = try EventSignal()
        let startMillis = Clock.monotonicMillis()
        var produced: [(device: Int, millis: Int64)] = []
        while produced.count < events {
            let due = Int(Clock.monotonicMillis() - startMillis) * eventsPerSecond / 1_000
            while produced.count < min(due, events) {
                let device = produced.count + 1
                produced.append((device, Clock.wallMillis()))
                try load.put(device, devices: device..<device + 1)
            }
            _ = pause.wait(timeoutMillis: 1)
        }
        try load.finish(events + 1)
        return produced
    }
}
