public import EventLoop
internal import Glibc

/// SIGTERM and SIGINT as calls on a thread of their own, in the place of handlers.
///
/// A blocked signal is inherited by the threads that are started later, so ``block()`` comes before the first of them;
/// from an asynchronous `main` it would come too late.
public enum TerminationSignals {
    /// Blocks the signals in this thread and in those that it starts.
    public static func block() {
        var signals = signalSet()
        // Fails only for a wrong first argument.
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Undoes ``block()`` for this thread, as a child process needs it between fork and exec.
    public static func unblock() {
        var signals = signalSet()
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits for the signals on a new thread, for as long as the process lives.
    ///
    /// - Parameter stop: Called once, on that thread, with the name of the first signal. A second signal ends the
    ///   process at once with exit code 130.
    /// - Throws: ``SystemError`` when the system refuses another thread.
    public static func watch(_ stop: @escaping @Sendable (String) -> Void) throws(SystemError) {
        _ = try WorkerThread(name: "signals") {
            stop(waitForSignal())
            _ = waitForSignal()
            _exit(ExitCode.interrupted)
        }
    }

    /// Waits for the first signal on this thread.
    public static func wait() {
        _ = waitForSignal()
    }

    private static func waitForSignal() -> String {
        var signals = signalSet()
        var number: Int32 = 0
        // Returns an error only for a signal number that does not exist.
        while unsafe sigwait(&signals, &number) != 0 {}
        return number == SIGINT ? "SIGINT" : "SIGTERM"
    }

    private static func signalSet() -> sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigaddset(&signals, SIGINT)
        return signals
    }
}
