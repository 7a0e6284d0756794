internal import AdminEndpoint
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
    private let admin: ListenAddress?
    private let endpoint = Mutex<HTTPEndpoint?>(nil)

    /// Where it listens, with the port that was picked.
    public let address: ListenAddress

    /// The port that it listens on.
    public var port: UInt16 { address.port }

    /// The certificate that clients must trust, in PEM.
    public var caFile: String { directory.authorityPath }

    /// Where faults are set and the summary is read while it runs, with the port that was picked; nil: nowhere.
    public var adminAddress: ListenAddress? {
        guard let admin, let endpoint = endpoint.withLock({ $0 }) else { return nil }
        return ListenAddress(host: admin.host, port: endpoint.port)
    }

    /// One line of JSON that says where it listens, which certificate to trust, and what its admin address is.
    public var announcement: String {
        var text = TextBuffer(capacity: 256)
        text.append("{\"listening\":")
        text.append(quoted: address.description)
        text.append(",\"ca\":")
        text.append(quoted: caFile)
        if let adminAddress {
            text.append(",\"admin\":")
            text.append(quoted: adminAddress.description)
        }
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
        self.admin = options.admin
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
        if let admin { try open(admin) }
    }

    private func open(_ admin: ListenAddress) throws(SimulatorError) {
        do throws(SystemError) {
            let answers = SimulatorAdmin(launch: launch)
            let made = try HTTPEndpoint(host: admin.host, port: admin.port) { answers.answer($0) }
            endpoint.withLock { $0 = made }
        } catch {
            stop()
            throw SimulatorError("listen on \(admin) for administration: \(error)")
        }
    }

    /// Replaces all faults of a simulator that runs; done when this returns.
    ///
    /// - Parameter rules: The new rules in order; none: nothing goes wrong any more.
    public func setFaults(_ rules: [FaultRule]) {
        if isStarted { launch.setFaults(rules) }
    }

    /// What was counted so far, or until the end.
    public func summary() -> SimulatorSummary {
        isStarted ? launch.summary : launch.last.summary
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
        // Its request under way still finds the loop.
        _ = endpoint.withLock { $0.take() }
        _ = call { $0.isStopping = true }
        thread.withLock { $0.take() }?.join()
        return launch.last.summary
    }
}
