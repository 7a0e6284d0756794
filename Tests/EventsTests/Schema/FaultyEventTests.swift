import Testing

@testable import Events

@Suite struct FaultyEventTests {
    @Test func `finds the one fault of each faulty event`() throws {
        let lines = try repositoryFile("Tests/EventsTests/Faulty/events.jsonl").split(separator: UInt8(ascii: "\n"))
        #expect(lines.count > 100)
        var document = JSONDocument()
        for line in lines {
            let root = try document.parse(Text(bytes: Array(line)).bytes)
            let fault = try #require(root.member("fault")?.string.map(string))
            let event = written { root.member("event")?.append(to: &$0) }
            let plan = PublishPlan(input: Array(event.utf8), kind: nil, apps: [], nowMillis: Read.now)
            let found = plan.faults.map { "\($0.fault.code.rawValue.dropFirst(8)) \($0.fault.path)" }
            #expect(found == [fault], "\(event)")
        }
    }
}
