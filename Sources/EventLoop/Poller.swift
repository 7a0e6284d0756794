internal import CLinux
internal import Glibc

/// An epoll instance and the buffer of its last answers; confined to one thread.
@safe
public struct Poller: ~Copyable {
    /// What a descriptor is watched for.
    public struct Interest: OptionSet, Sendable {
        /// The bits, as epoll's.
        public let rawValue: UInt32
        /// Makes a set from epoll's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// There is something to read, or the peer has closed.
        public static let read = Interest(rawValue: 1)
        /// There is room to write.
        public static let write = Interest(rawValue: 4)
    }

    /// One descriptor that is ready.
    public struct Ready: Sendable {
        /// The tag that it was added with.
        public let tag: UInt64
        /// Reading will not block (also when the descriptor failed or was closed).
        public let isReadable: Bool
        /// Writing will not block.
        public let isWritable: Bool
    }

    private let descriptor: Int32
    private var events: [epoll_event]
    private var count = 0

    /// Opens the instance.
    ///
    /// - Parameter capacity: The most descriptors that one wait reports.
    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init(capacity: Int = 64) throws(SystemError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(lastOf: "epoll_create1") }
        unsafe events = .init(repeating: epoll_event(), count: capacity)
    }

    deinit { close(descriptor) }

    /// Watches a descriptor, level-triggered.
    ///
    /// - Throws: ``SystemError``, such as EEXIST for one that is watched already.
    public func add(_ fileDescriptor: Int32, _ interest: Interest, tag: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, fileDescriptor, interest, tag)
    }

    /// Changes what a descriptor is watched for.
    ///
    /// - Throws: ``SystemError``, such as ENOENT for one that is not watched.
    public func modify(_ fileDescriptor: Int32, _ interest: Interest, tag: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_MOD, fileDescriptor, interest, tag)
    }

    /// Stops watching a descriptor; to be called before it is closed.
    public func remove(_ fileDescriptor: Int32) {
        // A descriptor that was closed by its library is gone from the set already.
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, fileDescriptor, nil)
    }

    private func control(
        _ operation: Int32,
        _ fileDescriptor: Int32,
        _ interest: Interest,
        _ tag: UInt64
    )
        throws(SystemError)
    {
        var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data_t(u64: tag))
        guard unsafe epoll_ctl(descriptor, operation, fileDescriptor, &event) == 0 else {
            throw SystemError(lastOf: "epoll_ctl")
        }
    }

    /// Waits until a descriptor is ready or the time is over; a signal ends it early.
    ///
    /// - Parameter timeoutMillis: 0 only looks; negative waits without end.
    /// - Returns: How many descriptors are ready, to be read with the subscript until the next wait.
    public mutating func wait(timeoutMillis: Int) -> Int {
        let limit = Int32(clamping: timeoutMillis)
        let found = unsafe events.withUnsafeMutableBufferPointer { buffer in
            unsafe epoll_wait(descriptor, buffer.baseAddress, Int32(buffer.count), limit)
        }
        count = max(0, Int(found))
        return count
    }

    /// The descriptor at an index below what the last ``wait(timeoutMillis:)`` returned.
    public subscript(_ index: Int) -> Ready {
        let event = unsafe events[index]
        let failed = unsafe event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue | EPOLLRDHUP.rawValue) != 0
        return unsafe Ready(
            tag: event.data.u64,
            isReadable: event.events & EPOLLIN.rawValue != 0 || failed,
            isWritable: event.events & EPOLLOUT.rawValue != 0
        )
    }
}
