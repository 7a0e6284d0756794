import BlockingTestSupport
import CommandLineTestSupport
import Glibc
import Operations
import Testing

/// What every command has in common.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct CommandLineTests {
    @Test func `prints help for nothing`() throws {
        let run = try Command.run()
        #expect(run.code == 0)
        #expect(run.output.hasPrefix("OVERVIEW: "))
        #expect(run.output.contains("USAGE: geopush <subcommand>\n"))
        #expect(run.errors.isEmpty)
    }

    @Test func `prints its version`() throws {
        let run = try Command.run("--version")
        #expect(run.code == 0)
        #expect(run.output.split(separator: ".").count == 3)
    }

    @Test(arguments: [
        "worker", "topics", "publish", "receipts", "dead-letters", "config", "doctor", "validate", "simulate-apns",
        "bench",
    ])
    func `explains each command`(name: String) throws {
        let run = try Command.run(name, "--help")
        #expect(run.code == 0)
        #expect(run.output.hasPrefix("OVERVIEW: "))
        #expect(run.output.contains("USAGE: geopush \(name) "))
        #expect(run.output.contains("  -h, --help              Show help information.\n"))
        #expect(try Command.run("help", name).output == run.output)
    }

    @Test(arguments: [["--version"], ["help", "worker"], ["validate", "Config/examples/location-site.json"]])
    func `fails when its output cannot be written`(words: [String]) throws {
        let command = try Command(words, output: "/dev/full")
        #expect(try command.wait() == 1)
        #expect(command.errors == "Error: the output could not be written: No space left on device\n")
    }

    @Test func `the worker takes every key as an option`() throws {
        let help = try Command.run("worker", "--help").output
        for key in ConfigurationKey.all { #expect(help.contains("\n  --\(key.flag) <"), "\(key.name)") }
    }

    @Test(
        arguments: [
            ["wroker"], ["--verbose"], ["worker", "--lanes", "2"], ["worker", "--stages", "fan"], ["worker", "now"],
            ["topics", "delete"], ["topics", "create", "--partitions", "0"], ["receipts", "--status", "lost"],
            ["receipts", "--stop-after", "0"], ["publish"], ["publish", "gossip", "-"], ["validate"],
            ["simulate-apns", "--listen"],
        ]
    ) func `ends with 64 and the usage when the command line is wrong`(words: [String]) throws {
        let command = try Command(words)
        #expect(try command.wait() == 64)
        #expect(command.output.isEmpty)
        #expect(command.errors.hasPrefix("Error: "))
        #expect(command.errors.contains("\nUsage: geopush "))
        #expect(command.errors.contains("--help' for more information.\n"))
    }

    @Test func `takes what all commands share`() throws {
        for words in [["validate", "-"], ["simulate-apns", "--listen", "nowhere"]] {
            let shared = ["--kafka-bootstrap-servers", "a:1", "--kafka-topic-prefix", "p."]
            let command = try Command(words + shared)
            try command.wait()
            #expect(!command.errors.contains("Unknown option"), "\(words)")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a command that does not wait for signals is ended by one`(signal: Int32) throws {
        let command = try Command(["demo"])
        try command.wait(for: "The worker joins its groups")
        command.send(signal)
        #expect(try command.wait() == 128 + signal)
    }

    @Test func `survives closed standard streams`() throws {
        let command = try Command(["worker", "--config", "/nowhere"], closesStreams: true)
        #expect(try command.wait() == 78)
        #expect(try Command(["--help"], closesStreams: true).wait() == 0)
    }
}
