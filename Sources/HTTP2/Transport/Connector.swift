public import EventLoop
internal import Synchronization

/// Opens connections on threads of its own, since libcurl blocks until one is open.
public final class Connector: Sendable {
    private struct Job {
        let endpoint: Endpoint
        let timeoutMillis: Int
        let ticket: UInt64
        let mailbox: ConnectMailbox
    }

    private struct State {
        var jobs: [Job] = []
        var isEnded = false
    }

    /// What the threads share; they hold it, and not the connector, which ends them when it goes.
    private final class Desk: Sendable {
        let state = Mutex(State())
        let signal: EventSignal

        init(signal: EventSignal) { self.signal = signal }

        /// Waits for the next job; nil at the end.
        func next() -> Job? {
            while true {
                _ = signal.wait(timeoutMillis: -1)
                let (job, isEnded) = state.withLock { state -> (Job?, Bool) in
                    if state.isEnded { return (nil, true) }
                    let job = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
                    // Lowered only while nothing waits, so that no thread sleeps over a job.
                    if state.jobs.isEmpty { signal.lower() }
                    return (job, false)
                }
                if isEnded { return nil }
                if let job { return job }
            }
        }
    }

    private let desk: Desk
    private let threads: [WorkerThread]

    /// Starts the threads.
    ///
    /// - Parameter threads: How many connections can be under way at once.
    /// - Throws: ``SystemError`` when the system refuses a thread or a descriptor.
    public init(threads: Int) throws(SystemError) {
        let desk = Desk(signal: try EventSignal())
        var started: [WorkerThread] = []
        for index in 0..<max(1, threads) {
            let thread = try WorkerThread(name: "connect-\(index)") {
                while let job = desk.next() {
                    job.mailbox.put(job.ticket, Connector.open(job.endpoint, job.timeoutMillis))
                }
            }
            started.append(thread)
        }
        self.desk = desk
        self.threads = started
    }

    deinit {
        desk.state.withLock { $0.isEnded = true }
        desk.signal.raise()
    }

    /// Has a connection opened; the result arrives in the mailbox.
    ///
    /// - Parameters:
    ///   - endpoint: Where to.
    ///   - timeoutMillis: For name look-up, connection, proxy and handshake together.
    ///   - ticket: Comes back with the result.
    ///   - mailbox: Where the result goes.
    public func connect(to endpoint: Endpoint, timeoutMillis: Int, ticket: UInt64, mailbox: ConnectMailbox) {
        let job = Job(endpoint: endpoint, timeoutMillis: timeoutMillis, ticket: ticket, mailbox: mailbox)
        desk.state.withLock { $0.jobs.append(job) }
        desk.signal.raise()
    }

    private static func open(_ endpoint: Endpoint, _ timeoutMillis: Int) -> Result<Transport, ConnectError> {
        do {
            return .success(try Transport(to: endpoint, timeoutMillis: timeoutMillis))
        } catch {
            return .failure(error)
        }
    }
}

/// Where the results of one loop's connections wait for it.
public final class ConnectMailbox: Sendable {
    private let results = Mutex<[(ticket: UInt64, result: Result<Transport, ConnectError>)]>([])
    private let signal: EventSignal

    /// Makes an empty mailbox.
    ///
    /// - Parameter signal: Raised when a result arrives.
    public init(signal: EventSignal) { self.signal = signal }

    /// Takes the oldest result, if any.
    public func next() -> (ticket: UInt64, result: Result<Transport, ConnectError>)? {
        results.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func put(_ ticket: UInt64, _ result: Result<Transport, ConnectError>) {
        results.withLock { $0.append((ticket, result)) }
        signal.raise()
    }
}
