import Testing

@testable import APNsSimulator

struct IdentifierSetTests {
    private func uuid(_ number: Int) -> [UInt8] {
        let digits = String(number, radix: 16)
        return Array(("00000000-0000-5000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits).utf8)
    }

    /// The set, and whether an id is new to it.
    private final class Seen {
        var set = IdentifierSet()
        func isNew(_ bytes: [UInt8]) -> Bool { set.insert(bytes.span) }
        func isNew(_ text: String) -> Bool { isNew(Array(text.utf8)) }
    }

    @Test func `tells new ids from known ones`() {
        let seen = Seen()
        for number in 0..<20_000 { #expect(seen.isNew(uuid(number))) }
        for number in 0..<20_000 { #expect(!seen.isNew(uuid(number))) }
        #expect(seen.set.count == 20_000)
    }

    @Test func `compares without regard to case`() {
        let seen = Seen()
        #expect(seen.isNew("3e8ed0f6-6a2c-5f6d-9a52-2e2b1f8f9a11"))
        #expect(!seen.isNew("3E8ED0F6-6A2C-5F6D-9A52-2E2B1F8F9A11"))
    }

    @Test func `tells ids apart that differ in one digit`() {
        let seen = Seen()
        let first = Array("3e8ed0f6-6a2c-5f6d-9a52-2e2b1f8f9a11".utf8)
        #expect(seen.isNew(first))
        for index in first.indices where first[index] != UInt8(ascii: "-") && first[index] != UInt8(ascii: "c") {
            var other = first
            other[index] = UInt8(ascii: "c")
            #expect(seen.isNew(other))
        }
    }

    @Test func `takes nothing and zeros`() {
        let seen = Seen()
        #expect(seen.isNew([UInt8]()))
        #expect(!seen.isNew("00000000-0000-0000-0000-000000000000"))
    }
}

struct TextBufferTests {
    private func quoted(_ bytes: [UInt8]) -> String {
        var text = TextBuffer(capacity: 1)
        text.append(quoted: bytes.span)
        return text.span.text
    }

    @Test(
        arguments: [
            ("", #""""#), ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#),
            ("\n\r\t\u{1}\u{7f}", #""\n\r\t\u0001\u007f""#),
            ("\u{6771}\u{4eac}\u{1f5fc}", "\"\u{6771}\u{4eac}\u{1f5fc}\""),
        ]
    )
    func `escapes what JSON demands and no more`(text: String, expected: String) {
        #expect(quoted(Array(text.utf8)) == expected)
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xE6, 0x9D], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80],
            [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func `replaces what is not UTF-8`(bytes: [UInt8]) {
        let text = quoted([0x61] + bytes + [0x62])
        #expect(text.hasPrefix("\"a\u{FFFD}"))
        #expect(text.hasSuffix("b\""))
        #expect(!text.utf8.contains(0xFF))
    }

    @Test(arguments: [0, 1, -1, 42, .max, .min] as [Int64])
    func `writes decimal numbers`(value: Int64) {
        var text = TextBuffer(capacity: 1)
        text.append(decimal: value)
        #expect(text.span.text == "\(value)")
    }

    @Test func `grows`() {
        var text = TextBuffer(capacity: 1)
        for _ in 0..<1000 { text.append("0123456789") }
        #expect(text.count == 10_000)
    }
}

struct SimulatorSummaryTests {
    @Test func `is one line with its reasons in order`() {
        var summary = SimulatorSummary()
        summary.requests = 6
        summary.accepted = 3
        summary.rejected = ["Unregistered": 1, "BadDeviceToken": 2]
        summary.distinctApnsIDs = 2
        summary.duplicateAccepted = 1
        summary.connections = 1
        summary.stored = 1
        summary.replaced = 1
        summary.expired = 1
        summary.logLinesLost = 2
        let expected = """
            {"requests":6,"accepted":3,"rejected":{"BadDeviceToken":2,"Unregistered":1},"distinctApnsIds":2,\
            "duplicateAccepted":1,"connections":1,"delivered":0,"stored":1,"replaced":1,"expired":1,"logLinesLost":2}
            """
        #expect(summary.json == expected)
    }
}
