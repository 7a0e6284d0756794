internal import APNsSimulator
internal import Cryptography
internal import EventLoop
internal import HTTP2
internal import Operations

/// `geopush simulate-apns`: an APNs on this machine, until SIGTERM or SIGINT.
enum SimulateCommand {
    static let description = CommandDescription(
        "simulate-apns",
        abstract: "Runs an APNs on this machine.",
        discussion: """
            Prints a JSON line when it accepts connections, and one with what it has counted at SIGTERM or SIGINT.
            """,
        options: [
            OptionDescription(
                "listen",
                .text,
                valueName: "address",
                help: "Where to listen; port 0 picks a free one.",
                default: "127.0.0.1:2197"
            ),
            OptionDescription(
                "tls-directory",
                .text,
                valueName: "dir",
                help: "Holds ca.pem, server.pem and server.key; made and filled if it is empty.",
                default: "a temporary one"
            ),
            OptionDescription(
                "signing-key",
                .text,
                valueName: "team:key:file",
                help: "A key that tokens may be signed with: a .p8 file or its public key in PEM.",
                default: "every well-formed ES256 token passes",
                isRepeating: true
            ),
            OptionDescription(
                "app",
                .text,
                valueName: "topic",
                help: "A topic that pushes may be for.",
                default: "all",
                isRepeating: true
            ),
            OptionDescription(
                "devices",
                .text,
                valueName: "file",
                help: "The devices: one JSON a line, {token, topic, environment?, unregisteredAt?, online?}.",
                default: "all"
            ),
            OptionDescription(
                "device-rate",
                .text,
                valueName: "pushes/seconds",
                help: "Answers TooManyRequests to more pushes to one device in so many seconds.",
                default: "any number"
            ),
            OptionDescription(
                "faults",
                .text,
                valueName: "file",
                help: "What goes wrong on purpose: one JSON a line, {match: {...}, then: {...}}."
            ),
            OptionDescription(
                "log",
                .text,
                valueName: "file",
                help: "Gets one JSON line for each answered request."
            ),
            OptionDescription(
                "admin",
                .text,
                valueName: "address",
                help: "Takes faults and tells the summary while it runs; port 0 picks a free one.",
                default: "none"
            ),
            OptionDescription(
                "environment",
                .choice(["production", "sandbox"]),
                valueName: "name",
                help: "Which service it stands for.",
                default: "production"
            ),
            OptionDescription(
                "stream-limit",
                .integer(0...100_000),
                valueName: "n",
                help: "Allows so many streams from the start.",
                default: "1 until a good token, then 1000"
            ),
        ] + Configuration.sharedOptions.map(\.hidden),
        waitsForSignals: true,
        body: run
    )

    @Sendable
    private static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Int32 {
        let options = try SimulateArguments(arguments).options()
        do throws(SimulatorError) {
            let simulator = try APNsSimulator(options)
            try simulator.start()
            say(simulator.announcement)
            TerminationSignals.wait()
            say(simulator.stop().json)
            return ExitCode.success
        } catch {
            throw .runtime("\(error)")
        }
    }

    private static func say(_ line: String) { StandardStream.output.write(line + "\n") }
}

/// The arguments of `simulate-apns`.
struct SimulateArguments {
    private let values: ParsedArguments

    init(_ values: ParsedArguments) {
        self.values = values
    }

    /// Turns the arguments into options, and reads the files that they name.
    ///
    /// - Returns: The options.
    /// - Throws: A failure that names the argument, or the file that cannot be used.
    func options() throws(CommandFailure) -> SimulatorOptions {
        var options = SimulatorOptions()
        options.listen = try address("listen") ?? ListenAddress(host: "127.0.0.1", port: 2197)
        options.admin = try address("admin")
        options.tlsDirectory = values.text("tls-directory")
        options.apps = values.texts("app")
        options.logPath = values.text("log")
        for text in values.texts("signing-key") { options.signingKeys.append(try Self.signingKey(text)) }
        if let path = values.text("devices") {
            options.devices = try Self.content(of: path) { (bytes) throws(SimulatorError) in
                try SimulatedDevice.read(bytes)
            }
        }
        if let path = values.text("faults") {
            options.faults = try Self.content(of: path) { (bytes) throws(SimulatorError) in try FaultRule.read(bytes) }
        }
        if let text = values.text("device-rate") {
            guard let rate = DeviceRate(text) else {
                throw .usage("invalid --device-rate \"\(text)\": expected PUSHES/SECONDS, such as 3/3600")
            }
            options.deviceRate = rate
        }
        if let name = values.text("environment") {
            guard let environment = SimulatedEnvironment(rawValue: name) else {
                throw .usage("invalid --environment \"\(name)\": expected production or sandbox")
            }
            options.environment = environment
        }
        if let text = values.text("stream-limit") {
            guard let limit = UInt32(text), limit <= 100_000 else {
                throw .usage("invalid --stream-limit \"\(text)\": expected 0...100000")
            }
            options.firstStreamLimit = limit
            options.streamLimit = limit
        }
        return options
    }

    private func address(_ name: String) throws(CommandFailure) -> ListenAddress? {
        guard let text = values.text(name) else { return nil }
        guard let address = ListenAddress(text) else {
            throw .usage("invalid --\(name) \"\(text)\": expected HOST:PORT")
        }
        return address
    }

    private static func signingKey(_ text: String) throws(CommandFailure) -> SimulatorSigningKey {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts.contains("") else {
            throw .usage("invalid --signing-key \"\(text)\": expected TEAM:KEYID:FILE")
        }
        return SimulatorSigningKey(teamID: parts[0], keyID: parts[1], pem: try content(of: parts[2]))
    }

    private static func content<Value>(
        of path: String,
        _ read: ([UInt8]) throws(SimulatorError) -> Value
    ) throws(CommandFailure) -> Value {
        let bytes = try content(of: path)
        do throws(SimulatorError) {
            return try read(bytes)
        } catch {
            throw .runtime("\(path): \(error)")
        }
    }

    private static func content(of path: String) throws(CommandFailure) -> [UInt8] {
        do throws(SystemError) {
            return try FileContent.read(path)
        } catch {
            throw .runtime("\(path) cannot be read (\(error)): check the path")
        }
    }
}
