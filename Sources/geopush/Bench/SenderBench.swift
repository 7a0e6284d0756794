internal import CBaseline
internal import EventLoop
internal import HTTP2

/// `bench sender`: what a push costs the sending side, beside the same work in plain C and `h2load`.
///
/// Each sender runs in a process of its own against one `nghttpd`, in turn, several rounds; its CPU is what the system
/// says of the process that has ended.
struct SenderBench {
    /// Who sends.
    enum Sender: String, CaseIterable {
        /// The C program with few headers: its CPU a push is the unit, C.
        case plainC = "c"
        /// The C program with the headers of a push.
        case pushC = "c-push"
        /// Ours.
        case ours = "geopush"
        /// nghttp2's load generator.
        case h2load
    }

    static let concurrency = 1_000
    private static let pathPrefix = "/3/device/push?"
    private static let authorization =
        "bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IktFWTEyMzQ1NjcifQ.eyJpc3MiOiJURUFNMTIzNDU2IiwiaWF0IjoxNzk2MTE3NDAwfQ."
        + String(repeating: "x", count: 86)

    let pushes: Int
    let rounds: Int

    /// Microseconds of CPU a push, the median of the rounds.
    typealias Costs = [String: Double]

    /// Runs all senders.
    ///
    /// - Returns: The cost of each, and of `nghttpd` a request as `nghttpd`.
    func run() throws -> Costs {
        let directory = try TemporaryDirectory()
        try directory.writeCertificates()
        // nghttpd serves files and ignores the query, so that one file answers for all tokens.
        try directory.write("root/3/device/push", "")
        let port = try LoopbackPort.free()
        let server = try ChildProcess([
            "nghttpd", "-d", directory.path("root"), "-m", "\(Self.concurrency)", "\(port)",
            directory.path("server.key"), directory.path("server.pem"),
        ])
        try LoopbackPort.awaitListener(on: port)
        var samples: [Sender: [Double]] = [:]
        for _ in 0..<rounds {
            for sender in Sender.allCases {
                let usage = try child(sender, port: port, ca: directory.path("ca.pem")).wait()
                guard usage.exitCode == 0 else {
                    throw BenchError("\(sender.rawValue) ended with exit code \(usage.exitCode)")
                }
                samples[sender, default: []].append(usage.cpuMicros / Double(pushes))
            }
        }
        server.terminate()
        var costs = Costs()
        for (sender, values) in samples { costs[sender.rawValue] = values.sorted()[values.count / 2] }
        costs["nghttpd"] = server.wait().cpuMicros / Double(pushes * rounds * Sender.allCases.count)
        return costs
    }

    private func child(_ sender: Sender, port: UInt16, ca: String) throws(SystemError) -> ChildProcess {
        guard sender == .h2load else {
            return try ChildProcess([
                ChildProcess.thisProgram, "bench", "sender", "--child", sender.rawValue, "--pushes", "\(pushes)",
                "--port", "\(port)", "--ca", ca,
            ])
        }
        return try ChildProcess([
            "h2load", "-n", "\(pushes)", "-c", "1", "-m", "\(Self.concurrency)", "-H", ":method: POST", "-H",
            "apns-topic: com.example.app", "-H", "apns-push-type: background", "-H", "apns-priority: 5", "-H",
            "authorization: \(Self.authorization)", "https://127.0.0.1:\(port)\(Self.pathPrefix)",
        ])
    }

    // MARK: - In the child

    /// Sends, as one of our senders; the body of the child process.
    static func runChild(_ sender: Sender, pushes: Int, port: UInt16, ca: String) throws {
        switch sender {
        case .plainC, .pushC: try runC(asPush: sender == .pushC, pushes: pushes, port: port, ca: ca)
        case .ours: try runOurs(pushes: pushes, port: port, ca: ca)
        case .h2load: throw BenchError("h2load is a program of its own")
        }
    }

    private static func runC(asPush: Bool, pushes: Int, port: UInt16, ca: String) throws {
        var result = cbaseline_sender_result()
        let code = unsafe "https://127.0.0.1:\(port)/".withCString { url in
            unsafe "127.0.0.1:\(port)".withCString { authority in
                unsafe ca.withCString { caFile in
                    unsafe pathPrefix.withCString { prefix in
                        unsafe authorization.withCString { token in
                            var options = unsafe cbaseline_sender_options(
                                url: url,
                                authority: authority,
                                ca_file: caFile,
                                path_prefix: prefix,
                                authorization: token,
                                requests: Int64(pushes),
                                concurrency: Int32(concurrency),
                                as_push: asPush ? 1 : 0
                            )
                            return unsafe cbaseline_sender(&options, &result)
                        }
                    }
                }
            }
        }
        guard code == 0, result.accepted == pushes else { throw BenchError("\(result.accepted) of \(pushes) accepted") }
    }

    private static func runOurs(pushes: Int, port: UInt16, ca: String) throws {
        let signal = try EventSignal()
        let connector = try Connector(threads: 1)
        let mailbox = ConnectMailbox(signal: signal)
        let endpoint = Endpoint(host: "127.0.0.1", port: port, caFile: ca)
        connector.connect(to: endpoint, timeoutMillis: 5_000, ticket: 0, mailbox: mailbox)
        guard signal.wait(timeoutMillis: 10_000), let opened = mailbox.next() else { throw BenchError("no connection") }
        let load = try SenderLoad(
            connection: ClientConnection(
                transport: opened.result.get(),
                settings: ClientSettings(),
                nowMillis: Clock.monotonicMillis()
            ),
            authority: "127.0.0.1:\(port)",
            authorization: authorization,
            pathPrefix: pathPrefix
        )
        try load.send(pushes)
    }
}

/// Why a bench has no result.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
