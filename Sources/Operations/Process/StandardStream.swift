internal import Glibc
internal import Synchronization

/// Standard output or standard error, written without a buffer.
public struct StandardStream: Sendable {
    /// Standard output.
    public static let output = StandardStream(fileDescriptor: 1)
    /// Standard error.
    public static let error = StandardStream(fileDescriptor: 2)

    /// The first error of a write to standard output, 0 before any; that nobody reads any more is none.
    private static let outputError = Atomic<Int32>(0)

    private let fileDescriptor: Int32

    /// Why some of what was written to standard output is lost; nil when nothing is.
    static var outputFailure: String? {
        let error = outputError.load(ordering: .relaxed)
        return error == 0 ? nil : unsafe String(cString: strerror(error))
    }

    /// Writes a text whole.
    ///
    /// - Parameter text: With its line feed.
    /// - Returns: False when nobody reads any more; what writes on and on ends then.
    @discardableResult
    public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes bytes whole.
    ///
    /// - Parameter bytes: With their line feed.
    /// - Returns: False when nobody reads any more.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        var position = 0
        while position < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[position...])
                return unsafe Glibc.write(fileDescriptor, rest.baseAddress, rest.count)
            }
            if written > 0 {
                position += written
            } else if errno == EAGAIN {
                waitUntilWritable()
            } else if errno != EINTR {
                if fileDescriptor == STDOUT_FILENO, errno != EPIPE {
                    Self.outputError.store(errno, ordering: .relaxed)
                }
                return false
            }
        }
        return true
    }

    /// Waits for whoever reads a pipe that was set to non-blocking by another process that shares it.
    private func waitUntilWritable() {
        var entry = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
        // An error shows at the next write.
        _ = unsafe poll(&entry, 1, -1)
    }

    /// The columns of the screen; 80 where it is none.
    public var columns: Int {
        var size = winsize()
        let code = unsafe ioctl(fileDescriptor, UInt(TIOCGWINSZ), &size)
        return code == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Whether a person looks at it.
    public var isTerminal: Bool { isatty(fileDescriptor) == 1 }

    /// Whether it is a screen that can go back in a line.
    public var isScreen: Bool { isTerminal && Self.variable("TERM") != "dumb" }

    /// Whether colours show, and the person has not asked to leave them out; see <https://no-color.org>.
    public var showsColours: Bool { isScreen && Self.variable("NO_COLOR").isEmpty }

    private static func variable(_ name: String) -> String {
        unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
    }
}
