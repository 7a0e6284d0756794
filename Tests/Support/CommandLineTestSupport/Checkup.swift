import Glibc

/// A `geopush doctor` with all that it looks at, of which a test breaks one thing.
public struct Checkup {
    /// The folder with the configuration, the key and the simulator's certificates.
    public let directory: TemporaryDirectory
    /// The simulator's address.
    public let apns: String
    private let simulator: Command

    /// Starts an APNs and writes a key.
    ///
    /// - Parameter key: The key file's content.
    /// - Throws: ``Command/Failure`` when the simulator does not start.
    public init(key: String) throws {
        directory = try TemporaryDirectory()
        try directory.write(key, to: "key.p8")
        simulator = try Command([
            "simulate-apns", "--listen", "127.0.0.1:0", "--tls-directory", "\(directory.path)/tls",
        ])
        try simulator.wait(for: "}\n")
        apns = simulator.output.split(separator: "\"").map(String.init).first { $0.hasPrefix("127.0.0.1:") } ?? ""
    }

    /// Runs the doctor.
    ///
    /// - Parameters:
    ///   - bootstrapServers: The Kafka.
    ///   - words: Further options, which win.
    ///   - configuration: Further members of the configuration.
    /// - Returns: Its exit code, its lines, and of those the ones that say what is wrong, without that word.
    /// - Throws: ``Command/Failure`` when it does not end.
    public func run(
        _ bootstrapServers: String,
        _ words: [String] = [],
        configuration: String = ""
    ) throws -> (code: Int32, lines: [String], wrong: [String]) {
        let folder = directory.path
        let path = try directory.write(
            """
            {kafka: {bootstrapServers: "\(bootstrapServers)"},
             apns: {endpoints: {production: "\(apns)", sandbox: "\(apns)"}, caFile: "\(folder)/tls/ca.pem"},
             apps: [{id: "shop", topic: "com.example.shop", teamId: "A1B2C3D4E5", keyId: "F6G7H8I9J0",
                     keyFile: "\(folder)/key.p8"}],
             registry: {stateDirectory: "\(folder)"}, \(configuration)}
            """,
            to: "c.json5"
        )
        let command = try Command(["doctor", "--config", path] + words)
        defer { simulator.send(SIGTERM) }
        let code = try command.wait()
        let lines = command.output.split(separator: "\n").map(String.init)
        return (code, lines, lines.filter { $0.hasPrefix("wrong  ") }.map { String($0.dropFirst(7)) })
    }
}
