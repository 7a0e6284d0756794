import Events

/// A part of a JSON Schema, written as it is read: members in order, short ones on one line.
indirect enum SchemaNode: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    case raw(String)
    case text(String)
    case list([SchemaNode])
    case members([(String, SchemaNode)])

    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: SchemaNode...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, SchemaNode)...) { self = .members(elements) }

    /// A number, `true` or `false`.
    static func value(_ value: some CustomStringConvertible) -> SchemaNode { .raw(value.description) }

    /// Its members with others after them.
    func adding(_ more: [(String, SchemaNode)]) -> SchemaNode {
        guard case .members(let members) = self else { return self }
        return .members(members + more)
    }

    /// The part as JSON, indented.
    func json(indent: Int = 0) -> String {
        let line = oneLine
        if line.utf8.count + indent <= 100 { return line }
        let (inner, outer) = (String(repeating: " ", count: indent + 2), String(repeating: " ", count: indent))
        switch self {
        case .raw, .text: return line
        case .list(let elements):
            return "[\n" + elements.map { inner + $0.json(indent: indent + 2) }.joined(separator: ",\n") + "\n\(outer)]"
        case .members(let members):
            let lines = members.map { "\(inner)\(Self.quoted($0.0)): \($0.1.json(indent: indent + 2))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    private var oneLine: String {
        switch self {
        case .raw(let text): text
        case .text(let text): Self.quoted(text)
        case .list(let elements): "[\(elements.map(\.oneLine).joined(separator: ", "))]"
        case .members(let members):
            "{\(members.map { "\(Self.quoted($0.0)): \($0.1.oneLine)" }.joined(separator: ", "))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        written { buffer in Array(text.utf8).withUnsafeBytes { buffer.append(jsonString: $0) } }
    }
}
