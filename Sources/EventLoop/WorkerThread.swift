internal import CLinux
internal import Glibc
internal import Synchronization

/// A POSIX thread with a name, outside Swift's cooperative pool, for loops that block.
public final class WorkerThread: Sendable {
    private let handle: Mutex<pthread_t?>

    /// Starts a thread; it inherits the signal mask of the caller.
    ///
    /// - Parameters:
    ///   - name: At most 15 bytes are kept, as the kernel does.
    ///   - body: What runs on it; whatever is not `Sendable` is made inside.
    /// - Throws: ``SystemError`` when the system refuses another thread.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(Start(name: String(name.prefix(15)), body: body))
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runThread, start.toOpaque())
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        handle = Mutex(thread)
    }

    deinit {
        if let thread = handle.withLock({ $0.take() }) { pthread_detach(thread) }
    }

    /// Waits until the body has returned; a second call returns at once.
    public func join() {
        guard let thread = handle.withLock({ $0.take() }) else { return }
        _ = pthread_join(thread, nil)
    }
}

private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    unsafe CLinux_prctl_name(start.name)
    start.body()
    return nil
}
