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
        /// Microseconds of CPU a push.
        let ours: Double
        let plainC: Double
        /// Of our process.
        let peakKiB: Int

        var ratio: Double { ours / plainC }
    }

    private static let runSeconds: Int64 = 120
    private static let pollMillis = 100

    let bootstrapServers: String
    let pushes: Int
    let rounds: Int

    /// Runs some rounds.
    ///
    /// - Parameter devices: How many devices each event names.
    /// - Returns: The round with the median ratio.
    /// - Throws: When a program fails, or both did not write the same.
    func run(devicesPerEvent devices: Int) throws -> Result {
        let results = try (0..<rounds).map { _ in try round(devicesPerEvent: devices) }
        return results.sorted { $0.ratio < $1.ratio }[results.count / 2]
    }

    private func round(devicesPerEvent devices: Int) throws -> Result {
        let topics = BenchTopics(bootstrapServers: bootstrapServers, name: "intake")
        // The C program reads the same events, and writes to another topic.
        let other = BenchTopics(bootstrapServers: bootstrapServers, name: "intake-c")
        try topics.create()
        try other.create()
        try EventLoad(topics, devicesPerEvent: devices, lingerMillis: 20).write(pushes: pushes)
        let directory = try TemporaryDirectory()
        try directory.writeProviderKey("key.p8")

        let worker = try topics.startWorker(stages: "intake", in: directory)
        let ours = try tally(topics, topics.pushes)
        worker.terminate()
        let spent = worker.wait()
        guard spent.exitCode == 0 else { throw BenchError("the worker ended with exit code \(spent.exitCode)") }

        let program = IntakeBaseline(bootstrapServers: bootstrapServers, events: topics.events, pushes: other.pushes)
        let child = try program.start(count: pushes, seconds: Int(Self.runSeconds))
        let plainC = try tally(other, other.pushes)
        let spentByC = child.wait()
        guard spentByC.exitCode == 0 else {
            throw BenchError("the C program ended with exit code \(spentByC.exitCode)")
        }
        try compare(ours, plainC)
        return Result(
            ours: spent.cpuMicros / Double(pushes),
            plainC: spentByC.cpuMicros / Double(pushes),
            peakKiB: spent.peakKiB
        )
    }

    /// Waits until all pushes are there, and reads them.
    private func tally(_ topics: BenchTopics, _ topic: String) throws -> PushTally {
        let pause = try EventSignal()
        let deadline = Clock.monotonicMillis() + Self.runSeconds * 1_000
        // Looks at the ends only, since a reader would take time from what is measured.
        while try topics.written(to: topic) < Int64(pushes) {
            guard Clock.monotonicMillis() < deadline else { throw BenchError("not all pushes came to \(topic)") }
            _ = pause.wait(timeoutMillis: Self.pollMillis)
        }
        let tally = try PushTally(topics, topic: topic, expected: pushes, sampled: sampled, seconds: 60)
        guard tally.count == pushes else { throw BenchError("\(tally.count) of \(pushes) pushes in \(topic)") }
        return tally
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
