internal import EventLoop
internal import Events
internal import Operations

/// An APNs in a process of its own that writes down when it saw each push.
final class BenchSimulator {
    private static let dayMillis: Int64 = 86_400_000

    private let process: ChildProcess
    private let logPath: String
    /// Host and port.
    let address: String
    let caFile: String

    /// Starts it.
    ///
    /// - Parameters:
    ///   - directory: Holds `key.p8`, and gets certificates and the log.
    ///   - name: What the log is named by.
    /// - Throws: ``BenchError`` when it does not start.
    init(in directory: TemporaryDirectory, name: String) throws {
        logPath = directory.path("\(name).log")
        caFile = directory.path("tls/ca.pem")
        process = try ChildProcess([
            ChildProcess.thisProgram, "simulate-apns", "--listen", "127.0.0.1:0", "--tls-directory",
            directory.path("tls"), "--signing-key", "TEAM123456:KEY1234567:\(directory.path("key.p8"))", "--app",
            BenchTopics.appTopic, "--log", logPath,
        ])
        // {"listening":"127.0.0.1:2197",…}
        guard let line = process.readLine(), let start = line.firstRange(of: "127.0.0.1:") else {
            throw BenchError("the simulator did not start")
        }
        address = String(line[start.lowerBound...].prefix { $0 != "\"" })
    }

    /// When each device's first push was seen.
    ///
    /// - Returns: Milliseconds of the day, by the number of the device.
    /// - Throws: When the log cannot be read.
    func seenAt() throws -> [Int: Int64] {
        var seen: [Int: Int64] = [:]
        for line in String(decoding: try FileContent.read(logPath), as: UTF8.self).split(separator: "\n") {
            // {"at":"2026-12-01T09:30:00.123Z",…,"token":"…",…}
            guard let time = line.firstRange(of: "T"), let token = line.firstRange(of: "\"token\":\"") else { continue }
            let digits = line[time.upperBound...].prefix(12).filter(\.isNumber)
            guard let number = Int64(digits), let device = Int(line[token.upperBound...].prefix(16), radix: 16)
            else { continue }
            let minutes = number / 10_000_000 * 60 + number / 100_000 % 100
            if seen[device] == nil { seen[device] = minutes * 60_000 + number % 100_000 }
        }
        return seen
    }

    /// Waits until the pushes of so many devices were seen.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - seconds: How long to wait.
    /// - Returns: As ``seenAt()``.
    /// - Throws: ``BenchError`` when they were not.
    func wait(forDevices count: Int, seconds: Int64) throws -> [Int: Int64] {
        let pause = try EventSignal()
        let deadline = Clock.monotonicMillis() + seconds * 1_000
        while true {
            let seen = try seenAt()
            if seen.count >= count { return seen }
            guard Clock.monotonicMillis() < deadline else {
                throw BenchError("the pushes of \(seen.count) of \(count) devices came to APNs")
            }
            _ = pause.wait(timeoutMillis: 100)
        }
    }

    /// How long after an event its push was seen.
    ///
    /// - Parameters:
    ///   - seenMillis: Of the day.
    ///   - producedMillis: Since 1970.
    /// - Returns: Milliseconds.
    static func latency(seenMillis: Int64, producedMillis: Int64) -> Int64 {
        let latency = (seenMillis - producedMillis) % dayMillis
        return latency < -1 ? latency + dayMillis : latency
    }

    /// Ends it.
    func stop() {
        process.terminate()
        _ = process.wait()
    }
}
