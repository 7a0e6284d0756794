/// Walks over a JSON5 document without building anything, to say where its first fault is.
struct JSON5Scanner {
    private static let depthMax = 64

    private let bytes: [UInt8]
    private var position = 0
    /// The names of the objects around, from the root; a list stands for one without a name.
    private var path: [String] = []
    /// The line of each name outside of lists, by its names joined with dots.
    private(set) var lines: [String: Int] = [:]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Walks over the whole document.
    ///
    /// - Throws: The first ``JSON5Fault``.
    mutating func scan() throws(JSON5Fault) {
        try checkEncoding()
        try skipSpace()
        try value(depth: 0)
        try skipSpace()
        guard position == bytes.count else { throw fault("expected the end of the document, found \(found)") }
    }

    /// Foundation's decoder traps on what is not UTF-8 in a name without quotes.
    private func checkEncoding() throws(JSON5Fault) {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return
            case .error: throw fault("expected UTF-8, found the byte \(bytes[offset])", at: offset)
            }
        }
    }

    // MARK: - Values

    private mutating func value(depth: Int) throws(JSON5Fault) {
        guard depth <= Self.depthMax else { throw fault("nested more than \(Self.depthMax) levels deep") }
        switch peek {
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try quoted()
        default: try word()
        }
    }

    private mutating func object(depth: Int) throws(JSON5Fault) {
        position += 1
        var names: Set<[UInt8]> = []
        while true {
            try skipSpace()
            if take("}") { return }
            let start = position
            let name = try self.name()
            guard names.insert(name).inserted else {
                throw fault("the name \"\(String(decoding: name, as: UTF8.self))\" stands twice", at: start)
            }
            path.append(String(decoding: name, as: UTF8.self))
            defer { path.removeLast() }
            if !path.contains("") { lines[path.joined(separator: ".")] = line(at: start) }
            try skipSpace()
            guard take(":") else { throw fault("expected \":\" after a name, found \(found)") }
            try skipSpace()
            try value(depth: depth + 1)
            try skipSpace()
            if take(",") { continue }
            guard peek == UInt8(ascii: "}") else { throw fault("expected \",\" or \"}\", found \(found)") }
        }
    }

    private mutating func array(depth: Int) throws(JSON5Fault) {
        position += 1
        path.append("")
        defer { path.removeLast() }
        while true {
            try skipSpace()
            if take("]") { return }
            try value(depth: depth + 1)
            try skipSpace()
            if take(",") { continue }
            guard peek == UInt8(ascii: "]") else { throw fault("expected \",\" or \"]\", found \(found)") }
        }
    }

    private mutating func name() throws(JSON5Fault) -> [UInt8] {
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try quoted() }
        let start = position
        while let byte = peek, isWordByte(byte) { position += 1 }
        guard position > start, !isDigit(bytes[start]) else {
            position = start
            throw fault("expected a name or \"}\", found \(found)")
        }
        return Array(bytes[start..<position])
    }

    private mutating func quoted() throws(JSON5Fault) -> [UInt8] {
        let start = position
        let quote = bytes[position]
        position += 1
        let content = position
        while let byte = peek {
            position += 1
            switch byte {
            case quote: return Array(bytes[content..<position - 1])
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "\n"): throw fault("a text without its closing quote", at: start)
            default: break
            }
        }
        throw fault("a text without its closing quote", at: start)
    }

    /// A number, `true`, `false` or `null`; `Infinity` and `NaN` have no use here.
    private mutating func word() throws(JSON5Fault) {
        let start = position
        while let byte = peek, isWordByte(byte) || "+-.".utf8.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard position > start else { throw fault("expected a value, found \(found)") }
        let isNumber = text.utf8.contains(where: isDigit) && !(text.utf8.first.map(isLetter) ?? true)
        guard isNumber || ["true", "false", "null"].contains(text) else {
            // Not which: it may be a password.
            throw fault("expected a value, found a text without quotes", at: start)
        }
    }

    // MARK: - Space and comments

    private mutating func skipSpace() throws(JSON5Fault) {
        while let byte = peek {
            if byte <= 0x20 {
                position += 1
            } else if byte == UInt8(ascii: "/") {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(JSON5Fault) {
        let start = position
        position += 1
        if take("/") {
            while let byte = peek, byte != UInt8(ascii: "\n") { position += 1 }
            return
        }
        guard take("*") else { throw fault("expected a value or a comment, found \"/\"", at: start) }
        while position + 1 < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
        }
        throw fault("a comment without its end", at: start)
    }

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private var found: String {
        guard position < bytes.count else { return "the end" }
        let character = String(decoding: bytes[position...].prefix(8), as: UTF8.self).first
        return character.map { "\"\($0)\"" } ?? "nothing"
    }

    /// The line of an offset, from 1.
    private func line(at offset: Int) -> Int { 1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") } }

    private func fault(_ message: String, at offset: Int? = nil) -> JSON5Fault {
        let before = bytes[..<min(offset ?? position, bytes.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return JSON5Fault(
            line: line(at: before.count),
            column: 1 + String(decoding: before[lineStart...], as: UTF8.self).count,
            message: message
        )
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

/// Letters, digits, `_`, `$` and every byte of a character outside ASCII.
private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
}
