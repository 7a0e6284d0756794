internal import EventLoop
internal import Glibc

/// A process that the bench has started, and what it has cost when it ends.
final class ChildProcess {
    /// What the system says of a process that has ended.
    struct Usage {
        /// User and system time together, in microseconds.
        let cpuMicros: Double
        /// The largest resident memory, in KiB.
        let peakKiB: Int
        /// The exit code; 128 and the signal's number where a signal ended it.
        let exitCode: Int32
    }

    let pid: pid_t
    private let output: Int32
    private var pending: [UInt8] = []
    private var usage: Usage?

    /// Starts a program; its standard output is read here, the rest is inherited.
    ///
    /// - Parameter arguments: The program, found on PATH, and its arguments.
    /// - Throws: ``SystemError`` when it cannot be started.
    init(_ arguments: [String]) throws(SystemError) {
        var pipe: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&pipe) == 0 else { throw SystemError(lastOf: "pipe") }
        // Children that are started meanwhile must not hold the pipe open.
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        // The bench blocks signals that it waits for; a child must not inherit that.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.indices.forEach { unsafe free(words[$0]) } }
        var started: pid_t = 0
        let code = unsafe posix_spawnp(&started, arguments[0], &actions, &attributes, &words, environ)
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
        close(pipe[1])
        guard code == 0 else {
            close(pipe[0])
            throw SystemError(call: "posix_spawnp \(arguments[0])", code: code)
        }
        pid = started
        output = pipe[0]
    }

    deinit {
        if usage == nil {
            kill(pid, SIGKILL)
            _ = wait()
        }
        close(output)
    }

    /// The path of this very program, to start it again as another process.
    static let thisProgram = "/proc/self/exe"

    /// Reads the next line of its standard output; nil at the end.
    func readLine() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return line
            }
            var buffer: [UInt8] = .init(repeating: 0, count: 4_096)
            let count = unsafe read(output, &buffer, buffer.count)
            guard count > 0 else { return nil }
            pending += buffer[..<count]
        }
    }

    /// Asks it to end.
    func terminate() { kill(pid, SIGTERM) }

    /// Waits until it has ended.
    func wait() -> Usage {
        if let usage { return usage }
        var status: Int32 = 0
        var spent = rusage()
        while unsafe wait4(pid, &status, 0, &spent) < 0 && errno == EINTR {}
        let micros =
            Double(spent.ru_utime.tv_sec + spent.ru_stime.tv_sec) * 1e6
            + Double(spent.ru_utime.tv_usec + spent.ru_stime.tv_usec)
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        let ended = Usage(cpuMicros: micros, peakKiB: spent.ru_maxrss, exitCode: code)
        usage = ended
        return ended
    }
}
