import Cryptography
import Testing

@Suite struct `Digest of bytes` {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `makes SHA-256 as FIPS 180-4 has it`(text: String, expected: String) {
        let digest = Array(text.utf8).withUnsafeBytes { Digest.sha256($0) }
        #expect((0..<32).map { hex(digest[$0]) }.joined() == expected)
    }

    @Test func `makes UUID version 5 as RFC 9562 A.4 has it`() {
        let dns: InlineArray<16, UInt8> = [
            0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
        ]
        let uuid = Array("www.example.com".utf8).withUnsafeBytes { Digest.uuid5(namespace: dns, name: $0) }
        #expect((0..<16).map { hex(uuid[$0]) }.joined() == "2ed6657de927568b95e12665a8aea6a2")
    }

    private func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }
}
