internal import EventLoop
public import HTTP2
internal import Synchronization

/// An APNs that runs on this machine: it checks pushes as Apple's service does, answers with its reasons, and fails on
/// demand.
///
/// One loop on a thread of its own serves all connections, so that the same requests get the same answers in every run.
public final class APNsSimulator: Sendable {
    private let directory: TLSDirectory
    private let launch: Launch
    private let thread = Mutex<WorkerThread?>(nil)

    /// Where it listens, with the port that was picked.
    public let address: ListenAddress

    /// The port that it listens on.
    public var port: UInt16 { address.port }

    /// The certificate that clients must trust, in PEM.
    public var caFile: String { directory.authorityPath }

    /// One line of JSON that says where it listens and which certificate to trust.
    public var announcement: String {
        var text = TextBuffer(capacity: 256)
        text.append("{\"listening\":")
        text.append(quoted: address.description)
        text.append(",\"ca\":")
        text.append(quoted: caFile)
        text.append("}")
        return text.span.text
    }

    /// Reads keys and certificates, and binds the port; connections wait until ``start()``.
    ///
    /// - Parameter options: How it is to behave.
    /// - Throws: ``SimulatorError`` that says what cannot be used.
    public init(_ options: SimulatorOptions = SimulatorOptions()) throws(SimulatorError) {
        let judge = try RequestJudge(options)
        let directory = try TLSDirectory(path: options.tlsDirectory)
        let tls: ServerTLS
        do throws(ServerTLSError) {
            tls = try ServerTLS(certificatePath: directory.certificatePath, keyPath: directory.keyPath)
        } catch {
            throw SimulatorError("\(error)")
        }
        var parts = Launch.Parts()
        if let path = options.logPath { parts.log = try RequestLog(path: path) }
        do throws(SystemError) {
            let listener = try Listener(address: options.listen)
            address = listener.address
            parts.listener = consume listener
            launch = Launch(options, judge, tls, try LoopMailbox(), parts)
        } catch {
            throw SimulatorError("listen on \(options.listen): \(error)")
        }
        self.directory = directory
    }

    deinit { stop() }

    /// Starts to serve; it can be started once.
    ///
    /// - Throws: ``SimulatorError`` where the system refuses a thread or a descriptor.
    public func start() throws(SimulatorError) {
        do throws(SystemError) {
            let reply = try Reply<SystemError?>()
            let launch = launch
            let made = try WorkerThread(name: "apns-simulator") { launch.run(reply) }
            // The loop of a second thread would find nothing to run with, and end at once.
            thread.withLock { if $0 == nil { $0 = made } }
            if let refused = reply.wait(timeoutMillis: -1), let error = refused { throw error }
        } catch {
            throw SimulatorError("start the simulator: \(error)")
        }
    }

    /// Replaces all faults of a simulator that runs; done when this returns.
    ///
    /// - Parameter rules: The new rules in order; none: nothing goes wrong any more.
    public func setFaults(_ rules: [FaultRule]) {
        _ = call { loop in loop.faults.set(rules, nowMillis: loop.moment.nowMillis) }
    }

    /// What was counted so far, or until the end.
    public func summary() -> SimulatorSummary {
        call { $0.summary } ?? launch.last.summary
    }

    /// The first requests that were answered, as many as the options say.
    public func answers() -> [AnsweredRequest] {
        call { $0.kept } ?? launch.last.answers
    }

    /// Waits until so many requests were accepted.
    ///
    /// - Parameters:
    ///   - count: How many at least, counted from the start.
    ///   - timeoutMillis: How long to wait at most.
    /// - Returns: Whether they were.
    public func wait(accepted count: Int, timeoutMillis: Int) -> Bool {
        wait(timeoutMillis: timeoutMillis) { $0.counters.accepted >= count }
    }

    /// Waits until so many requests were received.
    ///
    /// - Parameters:
    ///   - count: How many at least, counted from the start.
    ///   - timeoutMillis: How long to wait at most.
    /// - Returns: Whether they were.
    public func wait(requests count: Int, timeoutMillis: Int) -> Bool {
        wait(timeoutMillis: timeoutMillis) { $0.counters.requests >= count }
    }

    private var isStarted: Bool { thread.withLock { $0 != nil } }

    /// Runs something on the loop; nil where there is none, or none any more.
    private func call<Value: Sendable>(_ body: @escaping @Sendable (SimulatorLoop) -> Value) -> Value? {
        isStarted ? launch.mailbox.call(body) : nil
    }

    private func wait(timeoutMillis: Int, _ isDone: @escaping @Sendable (SimulatorLoop) -> Bool) -> Bool {
        guard isStarted, let reply = try? Reply<Bool>(),
            launch.mailbox.post({ $0.wait(reply, timeoutMillis: timeoutMillis, isDone) })
        else { return false }
        return reply.wait(timeoutMillis: -1) ?? false
    }

    /// Closes all connections and the port, writes the rest of the log, and waits for the end of the thread.
    ///
    /// - Returns: What was counted.
    @discardableResult
    public func stop() -> SimulatorSummary {
        _ = call { $0.isStopping = true }
        thread.withLock { $0.take() }?.join()
        return launch.last.summary
    }
}
