internal import CBaseline
internal import EventLoop
internal import Kafka

/// `bench intake`: what it costs to turn events into pushes, beside a C program that does the same, on a real broker.
///
/// Topics of its own are filled with events; a worker's intake and then the C program each write the pushes of all of
/// them, in processes of their own whose CPU is what the system says at their end. Both must have written the same.
struct IntakeBench {
    /// What one round came to.
    struct Result {
        let ours: Run
        let plainC: Run

        var ratio: Double { ours.cpuMicros / plainC.cpuMicros }
    }

    /// What one program needed.
    struct Run {
        /// Of CPU, a push.
        let cpuMicros: Double
        let peakKiB: Int
        /// From the start of its process to its last push.
        let seconds: Double
        /// Records that end a transaction in a partition, a push.
        let markers: Double
        fileprivate let tally: PushTally
    }

    private static let runSeconds: Int64 = 120

    let bootstrapServers: String
    let pushes: Int
    let rounds: Int

    /// Runs some rounds.
    ///
    /// - Parameter devices: How many devices each event names.
    /// - Returns: The round with the median ratio.
    /// - Throws: When a program fails, or both did not write the same.
    func run(devicesPerEvent devices: Int) throws -> Result {
        let results = try (0..<rounds).map { try round($0, devicesPerEvent: devices) }
        return results.sorted { $0.ratio < $1.ratio }[results.count / 2]
    }

    private func round(_ number: Int, devicesPerEvent devices: Int) throws -> Result {
        let topics = BenchTopics(bootstrapServers: bootstrapServers, name: "intake")
        // The C program reads the same events, and writes to another topic.
        let other = BenchTopics(bootstrapServers: bootstrapServers, name: "intake-c")
        try topics.create()
        try other.create()
        try EventLoad(topics, devicesPerEvent: devices, lingerMillis: 20).write(pushes: pushes)
        let directory = try TemporaryDirectory()
        try directory.writeProviderKey("key.p8")

        let program = IntakeBaseline(bootstrapServers: bootstrapServers, events: topics.events, pushes: other.pushes)
        let runOurs = {
            try measure(topics, events: topics.events, group: topics.prefix + "intake") {
                try topics.startWorker(stages: "intake", in: directory)
            }
        }
        let runC = {
            try measure(other, events: topics.events, group: program.group) {
                try program.start(count: pushes, seconds: Int(Self.runSeconds))
            }
        }
        // Who comes second may find warmer caches.
        let first = try number % 2 == 0 ? runOurs() : runC()
        let second = try number % 2 == 0 ? runC() : runOurs()
        let (ours, plainC) = number % 2 == 0 ? (first, second) : (second, first)
        try compare(ours.tally, plainC.tally)
        return Result(ours: ours, plainC: plainC)
    }

    /// Runs a program until all events are read, ends it, and reads what it wrote.
    private func measure(
        _ topics: BenchTopics,
        events: String,
        group: String,
        _ start: () throws -> ChildProcess
    ) throws -> Run {
        let startedMillis = Clock.monotonicMillis()
        let process = try start()
        var peakKiB = 0
        // Asks for offsets only, since a reader would take time from what is measured.
        try topics.wait(untilRead: events, by: group, seconds: Self.runSeconds) {
            peakKiB = max(peakKiB, process.residentPeakKiB)
        }
        let seconds = Double(Clock.monotonicMillis() - startedMillis) / 1_000
        process.terminate()
        let spent = process.wait()
        guard spent.exitCode == 0 else { throw BenchError("an intake ended with exit code \(spent.exitCode)") }
        let tally = try PushTally(topics, topic: topics.pushes, expected: pushes, sampled: sampled, seconds: 60)
        guard tally.count == pushes else {
            throw BenchError("\(tally.count) of \(pushes) pushes in \(topics.pushes)")
        }
        return Run(
            cpuMicros: spent.cpuMicros / Double(pushes),
            peakKiB: peakKiB,
            seconds: seconds,
            markers: Double(try topics.written(to: topics.pushes) - Int64(pushes)) / Double(pushes),
            tally: tally
        )
    }

    private var sampled: Set<String> {
        Set([0, pushes / 2, pushes - 1].map { EventLoad.token($0) })
    }

    private func compare(_ ours: PushTally, _ plainC: PushTally) throws {
        for (key, record) in ours.samples.sorted(by: { $0.key < $1.key }) where plainC.samples[key] != record {
            throw BenchError("ours wrote\n\(record)\nthe C program wrote\n\(plainC.samples[key] ?? "nothing")")
        }
        guard ours.samples.count == sampled.count, ours.digest == plainC.digest else {
            throw BenchError("ours and the C program did not write the same records")
        }
    }
}
