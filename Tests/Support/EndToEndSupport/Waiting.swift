import EventLoop

/// Something that a test waited for and that did not come in time.
public struct Overdue: Error, CustomStringConvertible {
    /// What it was, and how far it had come.
    public let description: String

    /// Names what did not come.
    public init(_ description: String) { self.description = description }
}

/// Waits until something holds; tests that wait leave the threads of the pool to others.
///
/// - Parameters:
///   - what: What is waited for.
///   - seconds: How long at most.
///   - state: How far it had come when the time is over.
///   - condition: Whether it holds.
/// - Throws: ``Overdue`` when it does not hold in time.
public func eventually(
    _ what: String,
    seconds: Int64 = 120,
    state: () -> String = { "" },
    _ condition: () throws -> Bool
) async throws {
    let deadline = Clock.monotonicMillis() + seconds * 1_000
    while try !condition() {
        guard Clock.monotonicMillis() < deadline else { throw Overdue("\(what), after \(seconds) s \(state())") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Runs what blocks on a thread of its own.
///
/// - Parameter body: What blocks.
/// - Returns: Its value.
public func offPool<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        do throws(SystemError) {
            _ = try WorkerThread(name: "test") { continuation.resume(returning: body()) }
        } catch {
            continuation.resume(returning: body())
        }
    }
}
