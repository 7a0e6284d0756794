public import Pipeline
import Synchronization

/// A worker in this process.
public final class RunningWorker: Sendable {
    private final class Failure: Sendable {
        let message = Mutex<String?>(nil)
    }

    /// The worker.
    public let worker: Worker
    private let reason = Failure()

    /// Starts it.
    ///
    /// - Parameter settings: All that it needs.
    /// - Throws: What the system or librdkafka refuses.
    public init(_ settings: WorkerSettings) throws {
        worker = try Worker(settings: settings) { [reason] failure in
            reason.message.withLock { $0 = $0 ?? failure.message }
        }
        try worker.start()
    }

    /// Why it could not go on; nil while it can.
    public var failure: String? { reason.message.withLock { $0 } }

    /// Whether every stage runs.
    public var isReady: Bool { worker.isReady }

    /// Waits until every stage runs.
    public func ready() async throws {
        try await eventually("a worker is ready") {
            if let failure { throw Overdue("the worker cannot go on: \(failure)") }
            return worker.isReady
        }
    }

    /// Ends it as SIGTERM does.
    public func stop() async {
        await offPool { self.stopNow() }
    }

    /// Ends it as SIGTERM does, and blocks until it has.
    public func stopNow() { worker.stop(graceMillis: 20_000) }
}
