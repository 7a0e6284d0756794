import EventLoop
public import Glibc
import Synchronization

/// A command of geopush in a process of its own, started here and ended by nobody else.
public final class GeopushProcess: Sendable {
    /// The built program: the one that `GEOPUSH_TEST_BINARY` names, else that of the build that these tests are of.
    public static let binary: String = {
        if let path = getenv("GEOPUSH_TEST_BINARY").map({ String(cString: $0) }), !path.isEmpty { return path }
        var buffer: [CChar] = .init(repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/geopush"
    }()

    /// Its process.
    public let pid: pid_t
    private let name: String
    private let folder: TemporaryFolder
    private let exitCode = Mutex<Int32?>(nil)

    /// Starts a command; what it prints goes into files of the folder.
    ///
    /// - Parameters:
    ///   - arguments: The command and its options.
    ///   - name: What the files are called.
    ///   - folder: Where they are.
    public init(_ arguments: [String], name: String, in folder: TemporaryFolder) throws {
        self.name = name
        self.folder = folder
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 1, folder.file(name + ".out"), flags, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, folder.file(name + ".err"), flags, 0o644)
        var words: [UnsafeMutablePointer<CChar>?] = ([Self.binary] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, Self.binary, &actions, nil, &words, environ)
        guard code == 0 else { throw SystemError(call: "posix_spawn \(Self.binary)", code: code) }
        self.pid = pid
    }

    deinit {
        kill(SIGKILL)
        var status: Int32 = 0
        if exitCode.withLock({ $0 == nil }) { waitpid(pid, &status, 0) }
    }

    /// What it has printed.
    public var output: String { folder.text(name + ".out") }

    /// What it has said on standard error.
    public var errors: String { folder.text(name + ".err") }

    /// Sends a signal, unless it has ended.
    public func kill(_ signal: Int32) {
        exitCode.withLock { if $0 == nil { _ = Glibc.kill(pid, signal) } }
    }

    /// Its exit code, 128 and the signal where one ended it; nil while it runs.
    public var ended: Int32? {
        exitCode.withLock { code in
            if code != nil { return code }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
            return code
        }
    }

    /// Waits for its end.
    ///
    /// - Returns: The exit code.
    public func wait(seconds: Int64 = 120) async throws -> Int32 {
        try await eventually("the end of \(name)", seconds: seconds, state: { String(errors.suffix(2_000)) }) {
            ended != nil
        }
        return ended ?? -1
    }

    /// Waits until it says something on standard error, such as that it is ready.
    public func waitForError(containing text: String, seconds: Int64 = 120) async throws {
        try await eventually("\(name) says \(text)", seconds: seconds, state: { String(errors.suffix(2_000)) }) {
            if let code = ended { throw Overdue("\(name) ended with \(code): \(errors.suffix(2_000))") }
            return errors.contains(text)
        }
    }
}
