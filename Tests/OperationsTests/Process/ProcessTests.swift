import BlockingTestSupport
import EventLoop
import Testing

@testable import Operations

@Suite(.blocks) struct ProcessTests {
    @Test func `names each process differently, in characters that Kafka allows`() {
        let names = (0..<20).map { _ in InstanceName.make() }
        #expect(Set(names).count > 15)
        #expect(names.allSatisfy { $0.utf8.allSatisfy(isTopicByte) && $0.utf8.count < 100 })
        #expect(names[0].split(separator: "-").last?.count == 4)
    }

    @Test func `says why a file cannot be read`() {
        #expect(throws: SystemError(call: "open", code: 2)) { try FileContent.read("/nowhere/at/all") }
        #expect(throws: SystemError(call: "read", code: 21)) { try FileContent.read("/") }
    }

    @Test func `reads a file whole`() throws {
        #expect(try FileContent.read("/proc/self/cmdline").isEmpty == false)
        #expect(try FileContent.read("/dev/null") == [])
    }

    @Test func `quotes text for JSON`() {
        #expect(JSONText.quoted("a\"b\\c\n\u{1}é/") == "\"a\\\"b\\\\c\\u000a\\u0001é/\"")
    }

    @Test(
        arguments: [
            ("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("lanes", "lane", 1), ("ä", "a", 1),
        ]
    ) func `measures how far words are apart`(left: String, right: String, distance: Int) {
        #expect(EditDistance.between(left, right) == distance)
        #expect(EditDistance.between(right, left) == distance)
    }

    @Test func `suggests only what is near`() {
        #expect(EditDistance.nearest(to: "DELIVERY", among: ["delivery", "device"]) == "delivery")
        #expect(EditDistance.nearest(to: "xyz", among: ["delivery", "device"]) == nil)
        #expect(EditDistance.nearest(to: "x", among: []) == nil)
    }
}
