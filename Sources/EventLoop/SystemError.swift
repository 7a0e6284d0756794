internal import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The name of the call, such as `epoll_ctl`.
    public let call: String
    /// Its `errno`.
    public let code: Int32

    /// Makes the error of a call from its `errno`.
    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// Makes the error of the call that has just failed on this thread.
    public init(lastOf call: String) {
        self.init(call: call, code: errno)
    }

    /// The call and the system's text for the code.
    public var description: String {
        var buffer: [CChar] = .init(repeating: 0, count: 128)
        // The POSIX form, which writes into the buffer and returns an error number.
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "\(call): error \(code)" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(call): \(text)"
    }
}
