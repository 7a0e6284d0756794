internal import APNsSimulator
internal import Cryptography
internal import Glibc
internal import HTTP2

/// `geopush simulate-apns`: an APNs on this machine, until SIGTERM or SIGINT.
enum SimulateCommand {
    static let help = """
        OVERVIEW: Runs an APNs on this machine.

        USAGE: geopush simulate-apns [--listen <address>] [--tls-directory <dir>] [--signing-key <team:key:file> ...]
                                     [--app <topic> ...] [--devices <file>] [--faults <file>] [--log <file>]
                                     [--environment <name>] [--stream-limit <n>]

        OPTIONS:
          --listen <address>      Where to listen; port 0 picks a free one. (default: 127.0.0.1:2197)
          --tls-directory <dir>   Holds ca.pem, server.pem and server.key; made and filled if it is empty.
                                  (default: a temporary one)
          --signing-key <team:key:file>
                                  A key that tokens may be signed with: a .p8 file or its public key in PEM.
                                  (default: every well-formed ES256 token passes)
          --app <topic>           A topic that pushes may be for. (default: all)
          --devices <file>        The devices that exist: one JSON a line,
                                  {token, topic, environment?, unregisteredAt?}. (default: all)
          --faults <file>         What goes wrong on purpose: one JSON a line, {match: {...}, then: {...}}.
          --log <file>            Gets one JSON line for each answered request.
          --environment <name>    Which service it stands for: production or sandbox. (default: production)
          --stream-limit <n>      Allows so many streams from the start. (default: 1 until a good token, then 1000)
          -h, --help              Show help information.
        """

    /// Runs until a signal.
    ///
    /// - Parameter arguments: What stands behind the command's name.
    /// - Returns: The exit code.
    static func run(arguments: [String]) -> Int32 {
        if arguments.contains("-h") || arguments.contains("--help") {
            print(help)
            return 0
        }
        let options: SimulatorOptions
        do throws(SimulatorError) {
            options = try SimulateArguments(arguments).options()
        } catch {
            complain("Error: \(error)\nSee 'geopush simulate-apns --help' for more information.")
            return 64
        }
        // Before any thread exists, so that all inherit it and the signal comes to `sigwait`.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigaddset(&signals, SIGINT)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        do throws(SimulatorError) {
            let simulator = try APNsSimulator(options)
            try simulator.start()
            say(simulator.announcement)
            var signal: Int32 = 0
            _ = unsafe sigwait(&signals, &signal)
            say(simulator.stop().json)
            return 0
        } catch {
            complain("Error: \(error)")
            return 1
        }
    }

    private static func say(_ line: String) { write(line, to: 1) }

    private static func complain(_ line: String) { write(line, to: 2) }

    private static func write(_ line: String, to descriptor: Int32) {
        let bytes = Array("\(line)\n".utf8)
        // Whoever reads may be gone.
        _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    }
}

/// The arguments of `simulate-apns`.
struct SimulateArguments {
    private var values: [String: [String]] = [:]

    private static let names = [
        "--listen", "--tls-directory", "--signing-key", "--app", "--devices", "--faults", "--log", "--environment",
        "--stream-limit",
    ]

    /// Splits the arguments into options and their values.
    ///
    /// - Parameter arguments: `--name value` or `--name=value`.
    /// - Throws: ``SimulatorError`` for an option that is unknown or has no value.
    init(_ arguments: [String]) throws(SimulatorError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard Self.names.contains(name) else { throw SimulatorError("Unknown option '\(name)'") }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw SimulatorError("Missing value for '\(name)'")
            }
            values[name, default: []].append(value)
        }
    }

    /// Turns the arguments into options, and reads the files that they name.
    ///
    /// - Returns: The options.
    /// - Throws: ``SimulatorError`` that names the argument.
    func options() throws(SimulatorError) -> SimulatorOptions {
        var options = SimulatorOptions()
        let listen = values["--listen"]?.last ?? "127.0.0.1:2197"
        guard let address = ListenAddress(listen) else {
            throw SimulatorError("invalid --listen \"\(listen)\": expected HOST:PORT")
        }
        options.listen = address
        options.tlsDirectory = values["--tls-directory"]?.last
        options.apps = values["--app"] ?? []
        options.logPath = values["--log"]?.last
        for text in values["--signing-key"] ?? [] { options.signingKeys.append(try Self.signingKey(text)) }
        if let path = values["--devices"]?.last { options.devices = try SimulatedDevice.read(try Self.file(path)) }
        if let path = values["--faults"]?.last { options.faults = try FaultRule.read(try Self.file(path)) }
        if let name = values["--environment"]?.last {
            guard let environment = SimulatedEnvironment(rawValue: name) else {
                throw SimulatorError("invalid --environment \"\(name)\": expected production or sandbox")
            }
            options.environment = environment
        }
        if let text = values["--stream-limit"]?.last {
            guard let limit = UInt32(text), limit <= 100_000 else {
                throw SimulatorError("invalid --stream-limit \"\(text)\": expected 0...100000")
            }
            options.firstStreamLimit = limit
            options.streamLimit = limit
        }
        return options
    }

    private static func signingKey(_ text: String) throws(SimulatorError) -> SimulatorSigningKey {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts.contains("") else {
            throw SimulatorError("invalid --signing-key \"\(text)\": expected TEAM:KEYID:FILE")
        }
        return SimulatorSigningKey(teamID: parts[0], keyID: parts[1], pem: try file(parts[2]))
    }

    private static func file(_ path: String) throws(SimulatorError) -> [UInt8] {
        guard let file = unsafe fopen(path, "r") else {
            throw SimulatorError("\(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var part: [UInt8] = .init(repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&part, 1, part.count, file)
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
    }
}
