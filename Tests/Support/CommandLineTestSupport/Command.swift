import EventLoop
import Glibc
import Synchronization

/// The program under test, running in a process of its own.
public final class Command: Sendable {
    /// Why a command did not do what a test waited for.
    public struct Failure: Error, CustomStringConvertible {
        /// What was waited for, and what the command had printed.
        public let description: String
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var openStreams = 2
        var status: Int32?
    }

    private let pid: pid_t
    private let state = Mutex(State())
    private let changed: EventSignal

    /// The built program: it lies beside the tests' own.
    public static var program: String {
        var buffer: [CChar] = .init(repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/geopush"
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind its name.
    ///   - program: Its path, where it is another than the one under test.
    ///   - input: The file that is its standard input.
    ///   - output: The file that is its standard output, which is read otherwise.
    ///   - environment: Its variables, beside those that every program needs; no others.
    ///   - closesStreams: Starts it with its three standard streams closed.
    /// - Throws: ``Failure`` when it cannot be started.
    public init(
        _ arguments: [String],
        program: String = Command.program,
        input: String = "/dev/null",
        output: String? = nil,
        environment: [String: String] = [:],
        closesStreams: Bool = false
    ) throws {
        changed = try EventSignal()
        let outputPipe = try Pipe()
        let errorPipe = try Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if closesStreams {
            for descriptor in Int32(0)...2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
            if let output {
                posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
            } else {
                posix_spawn_file_actions_adddup2(&actions, outputPipe.writer, 1)
            }
            posix_spawn_file_actions_adddup2(&actions, errorPipe.writer, 2)
        }
        var variables: [String] = environment.map { "\($0.key)=\($0.value)" }
        // The last three are for a run under a sanitizer.
        for name: String in ["PATH", "HOME", "LD_PRELOAD", "TSAN_OPTIONS", "ASAN_OPTIONS"] {
            if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
        }
        let words = [program] + arguments
        var wordPointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variablePointers: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for pointer in wordPointers + variablePointers { free(pointer) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, program, &actions, nil, &wordPointers, &variablePointers)
        close(outputPipe.writer)
        close(errorPipe.writer)
        guard code == 0 else {
            throw Failure(description: "\(program): \(SystemError(call: "posix_spawn", code: code))")
        }
        self.pid = pid
        try read(outputPipe.reader, into: \.output)
        try read(errorPipe.reader, into: \.errors)
        _ = try WorkerThread(name: "wait") { [self] in awaitEnd() }
    }

    private func read(_ descriptor: Int32, into stream: any WritableKeyPath<State, [UInt8]> & Sendable) throws {
        _ = try WorkerThread(name: "read") { [self] in
            var chunk: [UInt8] = .init(repeating: 0, count: 65_536)
            while true {
                let count = Glibc.read(descriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                state.withLock { $0[keyPath: stream] += chunk[..<count] }
                changed.raise()
            }
            close(descriptor)
            state.withLock { $0.openStreams -= 1 }
            changed.raise()
        }
    }

    private func awaitEnd() {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        state.withLock { $0.status = status }
        changed.raise()
    }

    /// What it has printed to standard output.
    public var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// What it has printed to standard error.
    public var errors: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// Sends a signal.
    public func send(_ signal: Int32) {
        kill(pid, signal)
    }

    /// Waits until it has ended and all that it printed is read.
    ///
    /// - Parameter timeoutMillis: After it the process is killed.
    /// - Returns: The exit code; 128 and the signal's number for one that a signal ended.
    /// - Throws: ``Failure`` when it does not end in time.
    @discardableResult
    public func wait(timeoutMillis: Int64 = 30_000) throws -> Int32 {
        try wait("its end", timeoutMillis) { state in
            guard state.openStreams == 0, let status = state.status else { return nil }
            return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        }
    }

    /// Waits until it has printed a text.
    ///
    /// - Parameters:
    ///   - text: What to look for in both streams.
    ///   - timeoutMillis: After it the process is killed.
    /// - Throws: ``Failure`` when it does not print it in time.
    public func wait(for text: String, timeoutMillis: Int64 = 30_000) throws {
        try wait("\"\(text)\"", timeoutMillis) { state in
            let streams = [state.output, state.errors]
            let isFound = streams.contains { String(decoding: $0, as: UTF8.self).utf8.firstRange(of: text.utf8) != nil }
            return isFound ? () : nil
        }
    }

    private func wait<Value>(_ name: String, _ timeoutMillis: Int64, _ look: (State) -> Value?) throws -> Value {
        let deadline = Clock.monotonicMillis() + timeoutMillis
        while true {
            changed.lower()
            if let value = state.withLock({ look($0) }) { return value }
            let rest = deadline - Clock.monotonicMillis()
            guard rest > 0 else { break }
            // Two threads may wait and lower the signal for each other, hence the second look every 50 ms.
            _ = changed.wait(timeoutMillis: Int(min(50, rest)))
        }
        kill(pid, SIGKILL)
        throw Failure(description: "waited \(timeoutMillis) ms for \(name); output: \(output); errors: \(errors)")
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind its name.
    ///   - environment: Its variables.
    /// - Returns: The command, which has ended, and its exit code.
    /// - Throws: ``Failure`` when it does not end in 30 s.
    public static func run(
        _ arguments: String...,
        environment: [String: String] = [:]
    ) throws -> (code: Int32, output: String, errors: String) {
        let command = try Command(arguments, environment: environment)
        let code = try command.wait()
        return (code, command.output, command.errors)
    }
}

/// A pipe whose ends no other process inherits, not even one that is started at the same moment.
private struct Pipe {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        // Swift's Glibc has no pipe2, and a flag that is set afterwards comes too late.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError(lastOf: "socketpair") }
        (reader, writer) = (ends[0], ends[1])
    }
}
