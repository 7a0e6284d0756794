internal import EventLoop
internal import Observability
internal import Operations
internal import Pipeline
internal import Synchronization

/// The life of one worker: from its start to a signal or to a failure, and from there to the exit code.
final class WorkerRun: Sendable {
    /// Why the worker ends.
    private enum End: Sendable {
        case signal(String)
        case failure(WorkerFailure)
    }

    /// How long a stop may take beyond its grace before the process leaves without it.
    private static let overtimeMillis = 5_000

    private let settings: WorkerSettings
    private let adminAddress: Address?
    private let graceMillis: Int64
    private let log = Logger(label: "geopush")
    private let end = Mutex<End?>(nil)
    private let isEnding: EventSignal
    private let isStopped: EventSignal

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - settings: The worker's.
    ///   - admin: Where its admin endpoint listens; nil for none.
    ///   - graceSeconds: How long it may drain.
    /// - Throws: A failure when the process has no descriptor left.
    init(_ settings: WorkerSettings, admin: Address?, graceSeconds: Int) throws(CommandFailure) {
        self.settings = settings
        adminAddress = admin
        graceMillis = Int64(graceSeconds) * 1_000
        do throws(SystemError) {
            isEnding = try EventSignal()
            isStopped = try EventSignal()
        } catch {
            throw .runtime("\(error)")
        }
    }

    /// Runs the worker on threads of its own, and waits here for its end.
    ///
    /// - Returns: The exit code.
    func run() throws(CommandFailure) -> Int32 {
        let worker: Worker
        do throws(SystemError) {
            worker = try Worker(settings: settings) { [self] failure in finish(.failure(failure)) }
        } catch {
            throw .runtime("the worker cannot start: \(error)")
        }
        // It answers until the worker has stopped: readiness says that it drains.
        let admin = try startAdmin(worker)
        defer { withExtendedLifetime(admin) {} }
        do throws(SystemError) {
            try TerminationSignals.watch { [self] name in finish(.signal(name)) }
            try worker.start()
        } catch {
            throw .runtime("the worker cannot start: \(error)")
        }
        while !isEnding.wait(timeoutMillis: Int(Int32.max)) {}
        let end = end.withLock { $0 }
        report(end)
        guard stop(worker) else { return ExitCode.failure }
        return exitCode(end)
    }

    private func startAdmin(_ worker: Worker) throws(CommandFailure) -> WorkerAdmin? {
        guard let adminAddress else { return nil }
        let admin = try WorkerAdmin(adminAddress, worker: worker, version: Geopush.version)
        log.notice("admin endpoint", ["host": adminAddress.host, "port": "\(admin.port)"])
        return admin
    }

    /// Notes why the worker ends; the first reason counts.
    private func finish(_ reason: End) {
        end.withLock { $0 = $0 ?? reason }
        isEnding.raise()
    }

    private func report(_ end: End?) {
        switch end {
        case .signal(let name):
            log.notice("stopping", ["signal": name, "grace.seconds": "\(graceMillis / 1_000)"])
        case .failure(let failure):
            log.critical("cannot go on", ["reason": failure.message])
        case nil: break
        }
    }

    /// Stops the worker, and does not wait for ever.
    ///
    /// - Returns: Whether it has stopped.
    private func stop(_ worker: Worker) -> Bool {
        do throws(SystemError) {
            _ = try WorkerThread(name: "stop") { [self] in
                worker.stop(graceMillis: graceMillis)
                isStopped.raise()
            }
        } catch {
            log.error("the worker cannot be stopped", ["reason": "\(error)"])
            return false
        }
        guard isStopped.wait(timeoutMillis: Int(graceMillis) + Self.overtimeMillis) else {
            log.error("the worker did not stop in time", ["grace.seconds": "\(graceMillis / 1_000)"])
            return false
        }
        log.notice("stopped")
        return true
    }

    private func exitCode(_ end: End?) -> Int32 {
        guard case .failure(let failure) = end else { return ExitCode.success }
        return failure.kind == .configuration ? ExitCode.configuration : ExitCode.failure
    }
}
