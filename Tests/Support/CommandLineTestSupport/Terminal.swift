import EventLoop
import Glibc

/// A terminal that a command may write to.
public final class Terminal {
    /// TIOCSPTLCK and TIOCGPTN: Swift's Glibc has neither these nor `posix_openpt`.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Its path, for a command's output.
    public let path: String
    private let controller: Int32
    /// Held open, so that nothing is lost between a command's end and the reading.
    private let side: Int32
    private var bytes: [UInt8] = []

    /// Opens a terminal.
    ///
    /// - Throws: ``SystemError`` when the system has none.
    public init() throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard controller >= 0, ioctl(controller, Self.setLock, &isLocked) == 0,
            ioctl(controller, Self.getNumber, &number) == 0
        else { throw SystemError(lastOf: "open /dev/ptmx") }
        path = "/dev/pts/\(number)"
        side = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard side >= 0 else { throw SystemError(lastOf: "open") }
    }

    deinit {
        close(side)
        close(controller)
    }

    /// Reads what was written until a condition holds.
    ///
    /// - Parameter isEnough: Looks at all that was written so far.
    /// - Returns: All of it, lines ending with a line feed only.
    /// - Throws: ``Command/Failure`` after 30 s.
    @discardableResult
    public func text(until isEnough: (String) -> Bool) throws -> String {
        let deadline = Clock.monotonicMillis() + 30_000
        while true {
            let text = String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            if isEnough(text) { return text }
            let rest = deadline - Clock.monotonicMillis()
            var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
            guard rest > 0, poll(&entry, 1, Int32(rest)) > 0 else {
                throw Command.Failure(description: "the terminal shows: \(text)")
            }
            var chunk: [UInt8] = .init(repeating: 0, count: 4_096)
            let count = read(controller, &chunk, chunk.count)
            if count > 0 { bytes += chunk[..<count] }
        }
    }

    /// Reads a number of lines.
    ///
    /// - Parameter count: How many are enough.
    /// - Returns: All that are there, without empty ones.
    /// - Throws: ``Command/Failure`` after 30 s.
    public func lines(count: Int) throws -> [String] {
        let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
        return lines(try text { lines($0).count >= count && $0.hasSuffix("\n") })
    }
}
