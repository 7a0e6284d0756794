import BlockingTestSupport
import CommandLineTestSupport
import Testing

/// What is wrong with an input is said before a broker is asked for.
@Suite(.blocks, .timeLimit(.minutes(15)))
struct PublishCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A place, whose name makes it larger.
    private func place(latitude: Int = 35, name: String = "近") -> String {
        #"{"locationId":"a","revision":1,"latitude":\#(latitude),"longitude":139,"radius":150,"app":"demo","#
            + #""name":"\#(name)","audience":{"devices":[{"token":"00ff"}]}}"#
    }

    private func publish(_ kind: String, _ text: String) throws -> Command {
        let file = try folder.write(text, to: "events.json")
        // Nobody listens there.
        let command = try Command(["publish", kind, file, "--kafka-bootstrap-servers", "127.0.0.1:1"])
        try command.wait()
        return command
    }

    @Test func `names line and path of each fault, and publishes nothing`() throws {
        let lines = [place(), place(latitude: 91), "", #"{"locationId":"#, place()]
        let command = try publish("location", lines.joined(separator: "\n"))
        #expect(try command.wait() == 1)
        #expect(command.output.isEmpty)
        let errors = command.errors.split(separator: "\n")
        #expect(errors.count == 3)
        #expect(errors[0].hasSuffix("events.json: line 2: $.latitude: found 91, expected a number from -90 to 90"))
        #expect(errors[1].contains("events.json: line 4: $: found malformed JSON at line 4, column 15"))
        #expect(errors[2].hasPrefix("Error: nothing was published: correct "))
    }

    @Test func `names the index in an array`() throws {
        let push = #"{"token":"00ff","topic":"com.example.demo","body":{"aps":{"content-available":1}}}"#
        let loud = #"{"token":"00ff","topic":"com.example.demo","body":{"aps":{"alert":"近くでセール開催中！"}}}"#
        let command = try publish("push", "[\(push),\(loud)]")
        #expect(try command.wait() == 1)
        #expect(command.errors.contains(#"events.json: index 1: $.body.aps.alert: found "近くでセール開催中！""#))
        #expect(command.errors.contains("\nError: nothing was published: "))
    }

    @Test func `refuses an event that its topic does not take`() throws {
        let file = try folder.write(place(name: String(repeating: "近", count: 1_400_000)), to: "large.json")
        let command = try Command(["validate", file])
        #expect(try command.wait() == 1)
        #expect(command.errors.contains("large.json: $: found a record of 4200"))
        #expect(command.errors.contains(" bytes, expected at most 4194304\n"))
    }
}
