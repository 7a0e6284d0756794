import Testing

@testable import Operations

@Suite struct AddressTests {
    @Test(arguments: ["localhost:1", "127.0.0.1:65535", "[::1]:443", "api.push.apple.com:443"])
    func `reads and writes an address`(text: String) {
        #expect(Address(text)?.description == text)
    }

    @Test(arguments: [
        "", ":1", "host", "host:", "host:0", "host:65536", "host:-1", "::1:443", "ho st:1", "http://a:1", "[]:1",
        "user@host:1",
    ])
    func `refuses what is no address`(text: String) {
        #expect(Address(text) == nil)
    }

    @Test func `takes port 0 where a free one may be picked`() {
        #expect(Address("127.0.0.1:0", portMin: 0)?.port == 0)
    }
}
