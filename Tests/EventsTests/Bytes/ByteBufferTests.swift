import Events
import Testing

@Suite struct ByteBufferTests {
    @Test func `keeps its content when it grows`() {
        let text = String(repeating: "近く", count: 1_000)
        #expect(written { for character in text { $0.append(text: String(character)) } } == text)
    }

    @Test func `keeps its memory when it is emptied`() {
        var buffer = ByteBuffer(capacity: 64)
        for _ in 0..<1_000 { buffer.append(1) }
        let capacity = buffer.capacity
        buffer.removeAll()
        #expect(buffer.count == 0)
        #expect(buffer.capacity == capacity)
    }

    @Test func `clamps a range to its content`() {
        var buffer = ByteBuffer()
        buffer.append("abc")
        #expect(string(buffer.bytes(in: 1..<9)) == "bc")
        #expect(string(buffer.bytes(in: 5..<9)) == "")
        buffer.truncate(to: 9)
        #expect(buffer.count == 3)
        buffer.replace(UInt8(ascii: "x"), at: 3)
        buffer.replace(UInt8(ascii: "x"), at: 2)
        #expect(string(buffer.bytes) == "abx")
    }

    @Test(arguments: [0, 1, 9, 10, -1, -10, 1_764_581_400, Int64.max, Int64.min])
    func `writes numbers in decimal`(number: Int64) {
        #expect(written { $0.append(decimal: number) } == String(number))
    }

    @Test func `writes hexadecimal digits and base64url`() {
        #expect(written { $0.append(hex: [0x00, 0x9F, 0xAB] as InlineArray<3, UInt8>) } == "009fab")
        #expect(written { $0.append(base64URL: [0xFB, 0xFF] as InlineArray<2, UInt8>) } == "-_8")
        #expect(written { $0.append(base64URL: [0xFF, 0xEF, 0xBE, 0x4D] as InlineArray<4, UInt8>) } == "_---TQ")
    }

    @Test(arguments: [
        ("近くでセール開催中！", "近くでセール開催中！"),
        ("a\"b\\c", #"a\"b\\c"#),
        ("\u{8}\t\n\u{C}\r\u{1}\u{1F}\u{7F}", "\\b\\t\\n\\f\\r\\u0001\\u001f\u{7F}"),
        ("twelve bytes\"", #"twelve bytes\""#),
        ("😀 and /", "😀 and /"),
        ("", ""),
    ])
    func `escapes what JSON demands and nothing else`(text: String, expected: String) {
        let source = Text(text)
        #expect(written { $0.append(jsonEscaped: source.bytes) } == expected)
        #expect(written { $0.append(jsonString: source.bytes) } == "\"" + expected + "\"")
    }

    @Test(arguments: [
        [0xFF], [0xC0, 0x80], [0xE3, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98, 0x41],
        [0x41, 0xE3, 0x41], [0x80, 0x80],
    ])
    func `replaces what is not UTF-8 as the standard library does`(bytes: [UInt8]) {
        let source = Text(bytes: bytes)
        #expect(written { $0.append(jsonEscaped: source.bytes) } == String(decoding: bytes, as: UTF8.self))
        #expect(!UTF8Text.isPlain(source.bytes))
    }

    @Test func `tells plain text from control characters`() {
        #expect(UTF8Text.isPlain(Text("salePoint 六本木").bytes))
        #expect(UTF8Text.isPlain(Text("").bytes))
        for text in ["\n", "a\u{0}", "\u{7F}", "a\u{85}"] { #expect(!UTF8Text.isPlain(Text(text).bytes)) }
        #expect(UTF8Text.isPrintableASCII(Text("a ~").bytes))
        #expect(!UTF8Text.isPrintableASCII(Text("é").bytes))
    }

    @Test func `writes times and remembers the second`() {
        var writer = TimestampWriter()
        let text = written { buffer in
            for millis: Int64 in [1_796_117_400_007, 1_796_117_400_999, 1_796_117_401_000, -1, 0] {
                writer.append(millis: millis, to: &buffer)
                buffer.append(" ")
            }
        }
        #expect(
            text == "2026-12-01T09:30:00.007Z 2026-12-01T09:30:00.999Z 2026-12-01T09:30:01.000Z "
                + "1969-12-31T23:59:59.999Z 1970-01-01T00:00:00.000Z "
        )
    }
}

@Suite struct TokenTextTests {
    @Test func `lowers the digits of a token`() {
        let text = written { #expect(TokenText.appendNormalized(Text("00AfC9").bytes, to: &$0)) }
        #expect(text == "00afc9")
    }

    @Test(arguments: ["", "a", "abc", "zz", "0g", " 00", "00\u{0}0", "@@", "``", String(repeating: "a", count: 514)])
    func `refuses a malformed token and leaves the buffer as it was`(token: String) {
        let text = written {
            $0.append("x")
            #expect(!TokenText.appendNormalized(Text(token).bytes, to: &$0))
        }
        #expect(text == "x")
        #expect(!TokenText.isNormalized(Text(token).bytes))
    }

    @Test func `demands lower case of a key`() {
        #expect(TokenText.isNormalized(Text("00af").bytes))
        #expect(!TokenText.isNormalized(Text("00AF").bytes))
    }
}
