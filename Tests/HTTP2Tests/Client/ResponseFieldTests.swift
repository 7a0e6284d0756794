import Testing

@testable import HTTP2

@Suite struct ResponseFieldTests {
    private static func read(_ name: String, _ value: String) -> ResponseField {
        Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { ResponseField(name: name, value: $0) }
        }
    }

    @Test(arguments: [
        ("200", UInt16(200)), ("999", 999), ("000", 0), ("", 0), ("20", 0), ("2000", 0), ("2x0", 0), ("-10", 0),
    ])
    func `reads a status of three digits and nothing else`(text: String, status: UInt16) {
        #expect(Self.read(":status", text) == .status(status))
    }

    @Test(arguments: [
        ("0", Int32(0)), ("1", 1), ("86400", 86_400), ("999999999", 999_999_999), ("1000000000", -1), ("", -1),
        ("-1", -1), ("1.5", -1), ("Wed, 21 Oct 2026 07:28:00 GMT", -1),
    ])
    func `reads seconds to wait and no dates`(text: String, seconds: Int32) {
        #expect(Self.read("retry-after", text) == .retryAfter(seconds))
    }

    @Test(arguments: ["", ":statu", ":status2", ":path", "retry-afteR", "apns-id", "xstatus"])
    func `passes over other headers`(name: String) {
        #expect(Self.read(name, "200") == .other)
    }
}
