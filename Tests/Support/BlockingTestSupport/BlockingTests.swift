internal import Dispatch
internal import EventLoop
internal import Synchronization
public import Testing

/// Runs the tests of a suite on threads that they may block.
///
/// Swift's own pool has a thread for each core: two tests that wait for a process or a broker there hold up all others,
/// whose deadlines pass. So would all of these tests at once, hence a few at a time.
public struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    /// The tests of suites inside run so too.
    public var isRecursive: Bool { true }

    /// Runs a test where it may block.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: Its arguments.
    ///   - function: What it does.
    /// - Throws: What it throws.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Turns.shared.take()
        defer { Turns.shared.giveBack() }
        try await withTaskExecutorPreference(BlockingExecutor.shared, operation: function)
    }
}

extension Trait where Self == BlockingTests {
    /// The tests wait without suspending: for processes, sockets or a broker.
    public static var blocks: Self { Self() }
}

/// How many tests of this kind may run at once.
private final class Turns: Sendable {
    static let shared = Turns(8)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// Threads that jobs may block: as many as there were jobs at once.
private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    private struct State {
        var jobs: [UnownedJob] = []
        /// Threads that wait, or begin, and take a job each.
        var idleThreads = 0
    }

    private let state = Mutex(State())
    private let jobCount = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.jobs.count > state.idleThreads else { return false }
            state.idleThreads += 1
            return true
        }
        jobCount.signal()
        guard needsThread else { return }
        do throws(SystemError) {
            _ = try WorkerThread(name: "blocking") { self.run() }
        } catch {
            fatalError("a test has no thread: \(error)")
        }
    }

    private func run() {
        while true {
            jobCount.wait()
            let job = state.withLock { state in
                state.idleThreads -= 1
                return state.jobs.removeFirst()
            }
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            state.withLock { $0.idleThreads += 1 }
        }
    }
}
