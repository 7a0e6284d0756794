internal import CLinux
internal import Glibc

/// An eventfd: any thread raises it, one loop waits on it and lowers it.
///
/// Raised twice before it is lowered, it still wakes the loop once.
public final class EventSignal: Sendable {
    /// The descriptor to wait on; owned by this object, closed with it.
    public let fileDescriptor: Int32

    /// Opens the eventfd.
    ///
    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init() throws(SystemError) {
        let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(lastOf: "eventfd") }
        self.fileDescriptor = descriptor
    }

    deinit { close(fileDescriptor) }

    /// Wakes the loop that waits on it.
    public func raise() {
        // EAGAIN means that the counter is full, and so that the loop is awake already.
        _ = eventfd_write(fileDescriptor, 1)
    }

    /// Takes the raised state back, so that the next ``raise()`` wakes again.
    public func lower() {
        var count: eventfd_t = 0
        // EAGAIN means that it was not raised.
        _ = unsafe eventfd_read(fileDescriptor, &count)
    }

    /// Blocks until it is raised; it stays raised.
    ///
    /// - Parameter timeoutMillis: The longest wait.
    /// - Returns: False when the time was over first.
    public func wait(timeoutMillis: Int) -> Bool {
        var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, Int32(clamping: timeoutMillis)) > 0
    }
}
