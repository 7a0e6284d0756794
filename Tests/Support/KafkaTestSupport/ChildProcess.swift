import EventLoop
import Glibc
import Synchronization

/// A process that was started here, in a process group of its own, and that nobody else ends.
final class ChildProcess: Sendable {
    private let state: Mutex<(pid: pid_t, isReaped: Bool)>

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: Its path and its arguments.
    ///   - output: The file that gets its output.
    /// - Throws: ``RealCluster/Failure`` when it cannot be started.
    init(_ arguments: [String], output: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &pointers, environ)
        guard code == 0 else {
            throw RealCluster.Failure(description: "\(arguments[0]): \(SystemError(call: "posix_spawn", code: code))")
        }
        state = Mutex((pid, false))
    }

    deinit { kill() }

    /// Whether it has not ended.
    var isRunning: Bool { exitStatus(wait: false) == nil }

    /// Ends it and what it has started.
    func kill() {
        state.withLock { state in
            guard !state.isReaped else { return }
            Glibc.kill(-state.pid, SIGKILL)
        }
        _ = exitStatus(wait: true)
    }

    private func exitStatus(wait: Bool) -> Int32? {
        state.withLock { state in
            guard !state.isReaped else { return 0 }
            var status: Int32 = 0
            guard waitpid(state.pid, &status, wait ? 0 : WNOHANG) == state.pid else { return nil }
            state.isReaped = true
            return status
        }
    }

    /// A file's text, empty where it cannot be read. Foundation's reader leaks its buffer for an empty file.
    static func contents(of path: String) -> String {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += buffer[..<count]
        }
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - arguments: Its path and its arguments.
    ///   - timeoutMillis: After which it is ended.
    /// - Returns: Its output.
    /// - Throws: ``RealCluster/Failure`` when it ends with another status than 0 or not in time.
    static func run(_ arguments: [String], timeoutMillis: Int64) throws -> String {
        let file = "/tmp/geopush-output-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        defer { unlink(file) }
        let child = try ChildProcess(arguments, output: file)
        let deadline = Clock.monotonicMillis() + timeoutMillis
        var status: Int32?
        while status == nil, Clock.monotonicMillis() < deadline {
            status = child.exitStatus(wait: false)
            // The end of a child is no descriptor here; looking 50 times a second is cheap enough.
            if status == nil { poll(nil, 0, 20) }
        }
        let output = contents(of: file)
        guard status == 0 else {
            // What it has started, such as a broker, has a group of its own and is not ended with it.
            throw RealCluster.Failure(
                description: "\(arguments.joined(separator: " ")): "
                    + "\(status.map { "status \($0)" } ?? "not done in \(timeoutMillis) ms"): \(output.suffix(2_000))"
            )
        }
        return output
    }
}
