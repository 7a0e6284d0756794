import Testing

@testable import Events

@Suite struct JSONDocumentTests {
    /// Parses a text and writes it again.
    private func copy(_ text: String) throws -> String {
        var document = JSONDocument()
        let root = try document.parse(Text(text).bytes)
        return written { root.append(to: &$0) }
    }

    private func error(_ bytes: [UInt8]) -> JSONError? {
        var document = JSONDocument()
        do throws(JSONError) {
            _ = try document.parse(Text(bytes: bytes).bytes)
            return nil
        } catch { return error }
    }

    private func error(_ text: String) -> JSONError? { error(Array(text.utf8)) }

    @Test(arguments: [
        "{}", "[]", "null", "true", "7", #""a""#, #"{"a":[1,-2,3.5,{"b":null}],"c":{"d":false}}"#,
        #"{"text":"近くでセール開催中！","quote":"\"\\\n"}"#, "[18446744073709551615,-9223372036854775808]",
        "[35.6663268,139.731032,1e-07,1e+300]", #"{"":""}"#, "[[],[[]],{}]",
    ])
    func `writes what it read`(text: String) throws { #expect(try copy(text) == text) }

    @Test func `writes without white space and escapes`() throws {
        #expect(try copy(" { \"a\" : [ 1 , \"\\u8fd1\\/\" ] } \n") == #"{"a":[1,"近/"]}"#)
    }

    @Test func `reads values by their kind`() throws {
        var document = JSONDocument()
        let root = try document.parse(Text(#"{"s":"x","i":7,"d":7.0,"h":7.5,"t":true,"n":null,"u":1e19}"#).bytes)
        #expect(root.member("s")?.string.map(string) == "x")
        #expect(root.member("i")?.integer == 7)
        #expect(root.member("d")?.integer == 7)
        #expect(root.member("h")?.integer == nil)
        #expect(root.member("h")?.number == 7.5)
        #expect(root.member("i")?.number == 7)
        #expect(root.member("u")?.integer == nil)
        #expect(root.member("t")?.bool == true)
        #expect(root.member("n")?.kind == .null)
        #expect(root.member("missing")?.index == nil)
        #expect(root.member("s")?.integer == nil && root.member("s")?.bool == nil && root.member("i")?.string == nil)
    }

    @Test func `walks nothing of what is no container`() throws {
        var document = JSONDocument()
        let root = try document.parse(Text("7").bytes)
        var members = root.members
        var elements = root.elements
        #expect(members.next()?.value.index == nil)
        #expect(elements.next()?.index == nil)
    }

    @Test func `refuses what is no document`() {
        #expect(error("") == .empty)
        #expect(error(" \n ") == .empty)
        #expect(error("{") == .malformed)
        #expect(error("{}{}") == .malformed)
        #expect(error("{\"a\":1,}") == .malformed)
        #expect(error("nul") == .malformed)
        #expect(error("[1e400]") == .badNumber)
        #expect(error("[01]") == .badNumber)
        #expect(error("[\"a]") == .badString)
        #expect(error("[\"\\x\"]") == .badString)
        #expect(error([0x22, 0xFF, 0x22]) == .notUTF8)
        #expect(error([0xEF, 0xBB, 0xBF, 0x7B, 0x7D]) != nil)
        #expect(error([0]) == .malformed)
    }

    @Test func `bounds the nesting`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(error(nested(JSONDocument.depthMax - 1)) == nil)
        #expect(error(nested(JSONDocument.depthMax + 1)) == .tooDeep)
        #expect(error(nested(5_000)) == .tooDeep)
    }

    @Test func `bounds the length`() {
        #expect(error([UInt8](repeating: 0x20, count: JSONDocument.bytesMax + 1)) == .tooLong)
    }

    @Test func `parses again after a fault and grows`() throws {
        var document = JSONDocument()
        for length in [1, 10_000, 100, 100_000] {
            #expect(throws: JSONError.self) { try document.parse(Text("[").bytes) }
            let text = "[\"" + String(repeating: "a", count: length) + "\"]"
            let root = try document.parse(Text(text).bytes)
            var elements = root.elements
            #expect(elements.next()?.string?.count == length)
        }
    }

    @Test(arguments: ["\\ud800", "\\udc00", "\\ud800\\ud800", "\\udc00x", "\\ud800x"])
    func `never lets half a surrogate pair through as text`(escape: String) {
        guard let copy = try? copy("[\"\(escape)\"]") else { return }
        #expect(copy.utf8.elementsEqual(String(decoding: Array(copy.utf8), as: UTF8.self).utf8))
        #expect(!copy.contains("\\u"))
    }
}
