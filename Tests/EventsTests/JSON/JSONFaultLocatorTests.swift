import Testing

@testable import Events

@Suite struct JSONFaultLocatorTests {
    @Test(arguments: [
        ("", 1, 1, "no JSON at all"), (" \n ", 2, 2, "no JSON at all"),
        ("{\"a\":1,}", 1, 8, #"found "}", expected a name in quotes"#),
        ("{\"a\" 1}", 1, 6, #"found "1", expected ":""#), ("{a:1}", 1, 2, #"found "a", expected a name in quotes"#),
        ("[1 2]", 1, 4, #"found "2", expected "," or "]""#),
        ("{\"a\":1 \"b\"", 1, 8, #"found """, expected "," or "}""#),
        ("[1,]", 1, 4, #"found "]", expected a value"#), ("{", 1, 2, "the document ends, expected a name in quotes"),
        ("[\"近\n\"]", 1, 4, "found byte 0xa, expected an escaped control character"),
        ("[\"\\x\"]", 1, 4, #"found "x", expected one of " \ / b f n r t u after a backslash"#),
        ("[\"\\ud800x\"]", 1, 9, "half of a surrogate pair"),
        ("[\"\\ud800\\ud800\"]", 1, 9, "half of a surrogate pair"),
        ("[\"\\u12g4\"]", 1, 7, #"found "g", expected four hexadecimal digits after \u"#),
        ("[\"a", 1, 4, "the document ends, expected the quote that ends the text"),
        ("[truE]", 1, 5, #"found "E", expected true"#), ("[01]", 1, 3, #"found "1", expected "," or "]""#),
        ("[1.]", 1, 4, #"found "]", expected a digit"#), ("[-]", 1, 3, #"found "]", expected a digit"#),
        ("[\n1e400]", 2, 1, "the number 1e400 does not fit 64 bits"),
        ("{}x", 1, 3, #"found "x", expected the end of the document"#),
        ("\u{FEFF}{}", 1, 1, "a byte-order mark"),
        ("[18446744073709551616]", 1, 2, "the number 18446744073709551616 does not fit 64 bits"),
    ])
    func `says line, column and problem`(text: String, line: Int, column: Int, problem: String) {
        let fault = JSONFaultLocator.locate(Text(text).bytes)
        #expect(fault == JSONFault(line: line, column: column, problem: problem))
    }

    @Test func `finds bytes that are not UTF-8`() {
        let fault = JSONFaultLocator.locate(Text(bytes: [0x5B, 0x22, 0x61, 0xFF, 0x22, 0x5D]).bytes)
        #expect(fault == JSONFault(line: 1, column: 4, problem: "found byte 0xff, expected UTF-8"))
    }

    @Test func `finds where nesting gets too deep`() {
        let text = String(repeating: "[", count: 5_000)
        #expect(
            JSONFaultLocator.locate(Text(text).bytes)
                == JSONFault(line: 1, column: 64, problem: "more than 63 levels of nesting")
        )
    }

    @Test(arguments: [
        "{}", "[]", "7", "[1,[2,{\"a\":[]}],\"x\"]", "{\"a\":{},\"b\":[{}]}", " [ 1 , -2.5e-3 ] ", "\"\\u8fd1\"",
    ])
    func `finds nothing in a document that is well-formed`(text: String) {
        #expect(JSONFaultLocator.locate(Text(text).bytes) == nil)
    }
}
