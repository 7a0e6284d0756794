internal import EventLoop
internal import Synchronization

/// Lets other threads run something on the loop and wait for it.
final class LoopMailbox: Sendable {
    typealias Task = @Sendable (SimulatorLoop) -> Void

    private struct State {
        var tasks: [Task] = []
        var isOver = false
    }

    /// Raised when there is something to run.
    let signal: EventSignal
    private let state = Mutex(State())

    init() throws(SystemError) { signal = try EventSignal() }

    /// Runs something on the loop and waits until it is done.
    ///
    /// - Returns: Nil where the loop is over.
    func call<Value: Sendable>(_ body: @escaping @Sendable (SimulatorLoop) -> Value) -> Value? {
        guard let reply = try? Reply<Value>() else { return nil }
        guard post({ reply.set(body($0)) }) else { return nil }
        return reply.wait(timeoutMillis: -1)
    }

    /// Runs something on the loop soon.
    ///
    /// - Returns: False where the loop is over.
    func post(_ task: @escaping Task) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isOver else { return false }
            state.tasks.append(task)
            return true
        }
        if isTaken { signal.raise() }
        return isTaken
    }

    /// Takes what waits; called by the loop.
    func take() -> [Task] {
        signal.lower()
        return state.withLock { state in
            defer { state.tasks.removeAll() }
            return state.tasks
        }
    }

    /// Refuses all that comes later, and takes what has come before; called by the loop at its end.
    func finish() -> [Task] {
        state.withLock { state in
            state.isOver = true
            defer { state.tasks.removeAll() }
            return state.tasks
        }
    }
}

/// One value that one thread waits for and another sets.
final class Reply<Value: Sendable>: Sendable {
    private let signal: EventSignal
    private let value = Mutex<Value?>(nil)

    init() throws(SystemError) { signal = try EventSignal() }

    func set(_ value: Value) {
        self.value.withLock { $0 = value }
        signal.raise()
    }

    /// Waits for the value.
    ///
    /// - Parameter timeoutMillis: Negative waits without end.
    /// - Returns: Nil where the time is over.
    func wait(timeoutMillis: Int) -> Value? {
        _ = signal.wait(timeoutMillis: timeoutMillis)
        return value.withLock { $0 }
    }
}
