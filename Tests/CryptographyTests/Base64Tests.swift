import Cryptography
import Testing

@Suite struct `Base 64` {
    /// RFC 4648 section 10.
    private static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors)
    func `encodes the examples of RFC 4648`(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8), alphabet: .standard) == Array(encoded.utf8))
        #expect(Base64.encode(Array(plain.utf8), alphabet: .url) == Array(encoded.utf8.filter { $0 != 0x3D }))
    }

    @Test(arguments: vectors)
    func `decodes them padded and not`(plain: String, encoded: String) {
        #expect(Base64.decode(Array(encoded.utf8)) == Array(plain.utf8))
        #expect(Base64.decode(encoded.utf8.filter { $0 != 0x3D }) == Array(plain.utf8))
    }

    @Test func `has two alphabets and decodes both`() {
        let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
        #expect(Base64.encode(bytes, alphabet: .standard) == Array("+/+/".utf8))
        #expect(Base64.encode(bytes, alphabet: .url) == Array("-_-_".utf8))
        #expect(Base64.decode(Array("+/+/".utf8)) == bytes)
        #expect(Base64.decode(Array("-_-_".utf8)) == bytes)
    }

    @Test func `survives every byte and every length`() {
        for count in 0...260 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
            for alphabet in [Base64.Alphabet.standard, .url] {
                let encoded = Base64.encode(bytes, alphabet: alphabet)
                #expect(encoded.count == Base64.encodedCount(count, alphabet: alphabet))
                #expect(Base64.decode(encoded) == bytes)
            }
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "Zg=", "Zg===", "Z===", "====", "=", "==", "Zm8==", "Zm9v=", "Zg==Zg==", "Zm 9v", "Zm9v\n",
        "Zm9é",
        "Zh", "Zm9", "Zh==", "!!!!",
    ])
    func `refuses what is not base 64`(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }

    @Test func `writes nothing where there is no room`() {
        var output: [UInt8] = .init(repeating: 0, count: 3)
        let count = [1, 2, 3].withUnsafeBytes { input in
            output.withUnsafeMutableBytes { Base64.encode(input, alphabet: .url, into: $0) }
        }
        #expect(count == 0)
        #expect(output == [0, 0, 0])
    }
}
