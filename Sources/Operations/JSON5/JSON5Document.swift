internal import FoundationEssentials

/// A text in JSON5: JSON with comments, trailing commas and names without quotes.
enum JSON5Document {
    /// Reads a document.
    ///
    /// Foundation's decoder reads it. It says neither where a fault is nor that a name stands twice, of which it takes
    /// one; ``JSON5Scanner`` sees both beforehand.
    ///
    /// - Parameter bytes: The document, in UTF-8.
    /// - Returns: The tree.
    /// - Throws: ``JSON5Fault`` for a text that is not JSON5, is nested deeply or names a key twice in one object.
    static func parse(_ bytes: [UInt8]) throws(JSON5Fault) -> JSONValue { try read(bytes).value }

    /// Reads a document as ``parse(_:)`` does, and says where its names stand.
    ///
    /// - Parameter bytes: The document, in UTF-8.
    /// - Returns: The tree, and the line of each name, by its path with dots.
    /// - Throws: As ``parse(_:)``.
    static func read(_ bytes: [UInt8]) throws(JSON5Fault) -> (value: JSONValue, lines: [String: Int]) {
        // JSON5 counts a byte-order mark as space; some editors write one.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        var scanner = JSON5Scanner(bytes)
        try scanner.scan()
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            // Of a long number at the very end it looks at the byte behind, wherever that lies.
            let data = Data(bytes + [UInt8(ascii: "\n")])
            return (try decoder.decode(Node.self, from: data).value, scanner.lines)
        } catch {
            throw JSON5Fault(line: 1, column: 1, message: "this is not JSON5")
        }
    }
}

/// A value of any shape, asked of the decoder in the order of what is most specific.
private struct Node: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            var object: [String: JSONValue] = [:]
            for name in members.allKeys {
                object[name.stringValue] = try members.decode(Node.self, forKey: name).value
            }
            value = .object(object)
        } else if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !elements.isAtEnd { array.append(try elements.decode(Node.self).value) }
            value = .array(array)
        } else {
            value = try Node.scalar(in: decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let boolean = try? container.decode(Bool.self) { return .boolean(boolean) }
        if let integer = try? container.decode(Int64.self) { return .integer(integer) }
        if let number = try? container.decode(Double.self) { return .number(number) }
        return .string(try container.decode(String.self))
    }
}

private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
