import Testing

@testable import Operations

@Suite struct JSON5DocumentTests {
    @Test func `reads comments, bare names, single quotes and trailing commas`() throws {
        let text = """
            // first
            {a: 1, 'b': .5, "c": [1, 2,], /* inner */ d: 'it', e: true, f: null, g: 0x10, h: +1, i: -2.5e1,}
            """
        #expect(
            try JSON5Document.parse(Array(text.utf8))
                == .object([
                    "a": .integer(1), "b": .number(0.5), "c": .array([.integer(1), .integer(2)]), "d": .string("it"),
                    "e": .boolean(true), "f": .null, "g": .integer(16), "h": .integer(1), "i": .integer(-25),
                ])
        )
    }

    @Test(
        arguments: [
            ("{a: 1,, b: 2}", 1, 7, #"expected a name or "}", found ",""#),
            ("{\n  a: 1\n  b: 2}", 3, 3, #"expected "," or "}", found "b""#),
            ("", 1, 1, "expected a value, found the end"),
            ("{a: }", 1, 5, #"expected a value, found "}""#),
            ("[1", 1, 3, #"expected "," or "]", found the end"#),
            ("{a: 1} x", 1, 8, #"expected the end of the document, found "x""#),
            ("{a: 'b", 1, 5, "a text without its closing quote"),
            ("{a: 1 /* b", 1, 7, "a comment without its end"),
            ("{a: maybe}", 1, 5, "expected a value, found a text without quotes"),
            ("{a: Infinity}", 1, 5, "expected a value, found a text without quotes"),
            ("{ä: 1,\n b, 2}", 2, 3, #"expected ":" after a name, found ",""#),
            ("{a: 1, \"a\": 2}", 1, 8, #"the name "a" stands twice"#),
            ("{1a: 1}", 1, 2, #"expected a name or "}", found "1""#),
        ]
    ) func `says where a document is wrong`(text: String, line: Int, column: Int, message: String) {
        #expect(throws: JSON5Fault(line: line, column: column, message: message)) {
            try JSON5Document.parse(Array(text.utf8))
        }
    }

    @Test(arguments: ["{a%: 1}", "{'%': 1}", "{a: '%'}", "{a: 1 /* % */}", "{\u{E4}%"])
    func `refuses what is not UTF-8, wherever it stands`(text: String) throws {
        for bytes: [UInt8] in [[0xFF], [0xE3, 0x81], [0xC0, 0x80], [0xED, 0xA0, 0x80]] {
            let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
            let fault = #expect(throws: JSON5Fault.self) {
                try JSON5Document.parse(Array(parts[0]) + bytes + Array(parts[1]))
            }
            let column = String(decoding: parts[0], as: UTF8.self).count + 1
            #expect(fault == JSON5Fault(line: 1, column: column, message: "expected UTF-8, found the byte \(bytes[0])"))
        }
    }

    @Test func `takes a byte-order mark at the beginning only`() throws {
        #expect(try JSON5Document.parse(Array("\u{FEFF}{a: 1}".utf8)) == .object(["a": .integer(1)]))
        #expect(throws: JSON5Fault.self) { try JSON5Document.parse(Array("{a: \u{FEFF}}".utf8)) }
    }

    @Test func `refuses deep nesting`() {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(throws: Never.self) { try JSON5Document.parse(Array(deep.dropFirst().dropLast().utf8)) }
        let deeper = "[" + deep + "]"
        #expect(throws: JSON5Fault.self) { try JSON5Document.parse(Array(deeper.utf8)) }
    }

    @Test func `refuses what only the decoder sees`() {
        #expect(throws: JSON5Fault(line: 1, column: 1, message: "this is not JSON5")) {
            try JSON5Document.parse(Array("{a: 1.2.3}".utf8))
        }
    }

    @Test func `never traps on a document cut off anywhere`() {
        let text = Array("{a: [1, 'b\\'', {c: \"d\"}], /* e */ f: -0x1F, // g\n h: null}".utf8)
        for length in 0..<text.count {
            #expect(throws: JSON5Fault.self) { try JSON5Document.parse(Array(text[..<length])) }
        }
    }
}
