import BlockingTestSupport
import CommandLineTestSupport
import Glibc
import Testing

/// `geopush simulate-apns` as a process.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct SimulateCommandTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `says where it listens, and at a signal what it has counted`(signal: Int32) throws {
        let directory = try TemporaryDirectory()
        let command = try Command([
            "simulate-apns", "--listen", "127.0.0.1:0", "--tls-directory", "\(directory.path)/tls",
        ])
        try command.wait(for: "\"listening\"")
        command.send(signal)
        #expect(try command.wait() == 0)
        let lines = command.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains("\"ca\":\"\(directory.path)/tls/ca.pem\"") == true)
        #expect(lines.last?.contains("\"requests\":0") == true)
    }

    @Test func `names the admin address where it listens, and ends with 64 for one that is none`() throws {
        let command = try Command(["simulate-apns", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"])
        try command.wait(for: "\"admin\":\"127.0.0.1:")
        #expect(!command.output.contains(":0\""))
        command.send(SIGTERM)
        #expect(try command.wait() == 0)
        let run = try Command.run("simulate-apns", "--admin", "2198")
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("Error: invalid --admin \"2198\": expected HOST:PORT"))
    }

    @Test func `ends with 64 for a rate that is none`() throws {
        let run = try Command.run("simulate-apns", "--device-rate", "fast")
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("Error: invalid --device-rate \"fast\": expected PUSHES/SECONDS"))
    }

    @Test(arguments: [("--devices", "/nowhere"), ("--faults", "/nowhere"), ("--signing-key", "T:K:/nowhere")])
    func `ends with 1 when a file cannot be read`(option: String, value: String) throws {
        let run = try Command.run("simulate-apns", "--listen", "127.0.0.1:0", option, value)
        #expect(run.code == 1)
        #expect(
            run.errors == "Error: /nowhere cannot be read (open: No such file or directory): check the path\n"
        )
    }

    @Test func `names the file that holds no devices`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("no JSON", to: "devices")
        let run = try withExtendedLifetime(directory) {
            try Command.run("simulate-apns", "--listen", "127.0.0.1:0", "--devices", path)
        }
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("Error: \(path): devices, line 1"))
    }
}
