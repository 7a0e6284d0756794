/// Where in a document the syntax breaks, and how; cold, for the message of a dead letter.
public struct JSONFault: Equatable, Sendable {
    /// The line, counted from 1.
    public let line: Int

    /// The character in the line, counted from 1.
    public let column: Int

    /// What is wrong there.
    public let problem: String
}

/// Finds the place where simdjson, which only says that a document is malformed, would have stopped.
@safe
struct JSONFaultLocator {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    /// One bit for each open container, the innermost lowest: 1 for an object.
    private var containers: UInt64 = 0
    private var depth = 0
    private var problem: String?

    private init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// Looks for the first fault.
    ///
    /// - Parameter bytes: The document.
    /// - Returns: The fault; nil when this scanner finds none.
    static func locate(_ bytes: UnsafeRawBufferPointer) -> JSONFault? {
        var locator = unsafe JSONFaultLocator(bytes)
        locator.scan()
        guard let problem = locator.problem else { return nil }
        var line = 1
        var column = 1
        for place in 0..<min(locator.index, bytes.count) {
            let byte = unsafe bytes[place]
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return JSONFault(line: line, column: column, problem: problem)
    }

    private var byte: UInt8? { unsafe index < bytes.count ? bytes[index] : nil }

    private mutating func fail(_ what: String) {
        if problem == nil { problem = what }
    }

    private mutating func failHere(expected: String) {
        guard let byte else { return fail("the document ends, expected \(expected)") }
        if byte >= 0x21 && byte < 0x7F {
            fail("found \"\(Character(Unicode.Scalar(byte)))\", expected \(expected)")
        } else {
            fail("found byte 0x\(String(byte, radix: 16)), expected \(expected)")
        }
    }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func scan() {
        if unsafe bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF {
            return fail("a byte-order mark")
        }
        skipSpace()
        guard byte != nil else { return fail("no JSON at all") }
        repeat {
            skipSpace()
            value()
            if problem != nil { return }
            closeAndSeparate()
        } while problem == nil && depth > 0
        guard problem == nil else { return }
        skipSpace()
        if byte != nil { failHere(expected: "the end of the document") }
    }

    /// Scans one value; of a container that is not empty only its beginning.
    private mutating func value() {
        switch byte {
        case UInt8(ascii: "{"): open(isObject: true)
        case UInt8(ascii: "["): open(isObject: false)
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): word("true")
        case UInt8(ascii: "f"): word("false")
        case UInt8(ascii: "n"): word("null")
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): number()
        default: failHere(expected: "a value")
        }
    }

    private mutating func open(isObject: Bool) {
        guard depth < JSONDocument.depthMax - 1 else {
            return fail("more than \(JSONDocument.depthMax - 1) levels of nesting")
        }
        index += 1
        depth += 1
        containers = containers << 1 | (isObject ? 1 : 0)
        skipSpace()
        if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return }
        if isObject {
            name()
        }
        if problem == nil {
            skipSpace()
            value()
        }
    }

    private mutating func name() {
        skipSpace()
        guard byte == UInt8(ascii: "\"") else { return failHere(expected: "a name in quotes") }
        string()
        skipSpace()
        guard problem == nil else { return }
        guard byte == UInt8(ascii: ":") else { return failHere(expected: "\":\"") }
        index += 1
    }

    /// After a value: closes the containers that end here, and passes the comma before the next value.
    private mutating func closeAndSeparate() {
        while depth > 0 && problem == nil {
            skipSpace()
            let isObject = containers & 1 == 1
            if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                index += 1
                depth -= 1
                containers >>= 1
                continue
            }
            guard byte == UInt8(ascii: ",") else {
                return failHere(expected: isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
            }
            index += 1
            if isObject { name() }
            return
        }
    }

    private mutating func word(_ word: StaticString) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard unsafe byte == word.utf8Start[offset] else { return failHere(expected: "\(word)") }
            index += 1
        }
    }

    private mutating func string() {
        index += 1
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"): escape()
            case 0..<0x20: return failHere(expected: "an escaped control character")
            case 0x80...:
                guard case .valid(let length) = unsafe UTF8Text.step(at: index, of: bytes) else {
                    return failHere(expected: "UTF-8")
                }
                index += length
            default: index += 1
            }
            if problem != nil { return }
        }
        failHere(expected: "the quote that ends the text")
    }

    private mutating func escape() {
        index += 1
        switch byte {
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(), unit >= 0xD800 && unit < 0xDC00 else { return }
            let start = index
            let isPair = unsafe byte == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == 0x75
            if isPair { index += 1 }
            guard isPair, let low = codeUnit(), low >= 0xDC00 && low < 0xE000 else {
                index = start
                return fail("half of a surrogate pair")
            }
        case .some(let byte) where "\"\\/bfnrt".utf8.contains(byte): index += 1
        default: failHere(expected: "one of \" \\ / b f n r t u after a backslash")
        }
    }

    /// Passes `u` and its four digits.
    private mutating func codeUnit() -> UInt32? {
        index += 1
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = byte, digit < 0x80, let value = Character(Unicode.Scalar(digit)).hexDigitValue else {
                failHere(expected: "four hexadecimal digits after \\u")
                return nil
            }
            unit = unit << 4 | UInt32(value)
            index += 1
        }
        return unit
    }

    private mutating func number() {
        let start = index
        if byte == UInt8(ascii: "-") { index += 1 }
        if byte == UInt8(ascii: "0") {
            index += 1
        } else {
            guard digits() else { return failHere(expected: "a digit") }
        }
        var isWhole = true
        if byte == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            guard digits() else { return failHere(expected: "a digit") }
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
            guard digits() else { return failHere(expected: "a digit") }
        }
        let text = unsafe String(decoding: bytes[start..<index], as: UTF8.self)
        let fits = isWhole ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite ?? false
        if !fits {
            index = start
            fail("the number \(text.prefix(40)) does not fit 64 bits")
        }
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte, (byte &- 0x30) < 10 { index += 1 }
        return index > start
    }
}
