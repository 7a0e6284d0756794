internal import CBaseline
internal import Glibc
internal import Kafka
internal import Operations

/// The C program that does what intake does, in a process of its own.
struct IntakeBaseline {
    /// As intake has them.
    private static let batchEvents = 2_000
    private static let batchBytes = 4 << 20

    let bootstrapServers: String
    /// The topic that it reads, and the one that it writes to; its group is named after the latter.
    let events: String
    let pushes: String

    /// Its consumer group.
    var group: String { "\(pushes)-baseline" }

    /// Starts it as a child.
    ///
    /// - Parameters:
    ///   - count: After how many pushes it ends.
    ///   - seconds: When it ends in any case.
    /// - Returns: Its process.
    /// - Throws: When it cannot be started.
    func start(count: Int, seconds: Int) throws -> ChildProcess {
        try ChildProcess([
            ChildProcess.thisProgram, "bench", "intake", "--child", "--events-topic", events, "--pushes-topic", pushes,
            "--kafka-bootstrap-servers", bootstrapServers, "--pushes", "\(count)", "--seconds", "\(seconds)",
        ])
    }

    /// Runs it; the body of the child.
    func run(count: Int, seconds: Int) throws {
        // It ends by itself; a request to end that comes meanwhile is one too many.
        TerminationSignals.block()
        var result = cbaseline_intake_result()
        // The settings of ours, and those that its wrappers add to them.
        let consumer = CStrings(
            Consumer.defaults.flatMap { [$0.key, $0.value] } + [
                "enable.auto.commit", "false", "queued.min.messages", "100000",
            ]
        )
        let producer = CStrings(
            TransactionalProducer.defaults.flatMap { [$0.key, $0.value] } + [
                "enable.idempotence", "true", "acks", "all",
            ]
        )
        let names = CStrings([bootstrapServers, events, pushes, group, BenchTopics.appTopic])
        var options = unsafe cbaseline_intake_options(
            bootstrap_servers: names[0],
            consumer_properties: consumer.pointers,
            producer_properties: producer.pointers,
            events_topic: names[1],
            pushes_topic: names[2],
            group: names[3],
            apns_topic: names[4],
            batch_events: Int32(Self.batchEvents),
            batch_bytes: Int64(Self.batchBytes),
            pushes: Int64(count),
            seconds: Int32(clamping: seconds)
        )
        let code = withExtendedLifetime((consumer, producer, names)) {
            unsafe cbaseline_intake(&options, &result)
        }
        guard code == 0, result.pushes == count else { throw BenchError("\(result.pushes) of \(count) pushes written") }
    }
}

/// Texts for C, ended by a null pointer; they live as long as this object.
@safe
private final class CStrings {
    private let count: Int
    private let storage: UnsafeMutablePointer<UnsafePointer<CChar>?>

    init(_ texts: [String]) {
        count = texts.count
        unsafe storage = .allocate(capacity: count + 1)
        for (index, text) in texts.enumerated() {
            unsafe (storage + index).initialize(to: strdup(text).map { unsafe UnsafePointer($0) })
        }
        unsafe (storage + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { unsafe free(UnsafeMutablePointer(mutating: storage[index])) }
        unsafe storage.deallocate()
    }

    var pointers: UnsafePointer<UnsafePointer<CChar>?> { unsafe UnsafePointer(storage) }

    subscript(index: Int) -> UnsafePointer<CChar>? {
        precondition(index < count)
        return unsafe storage[index]
    }
}
