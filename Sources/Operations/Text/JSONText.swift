/// Text as JSON writes it.
public enum JSONText {
    /// Quotes a text and escapes what JSON does not allow inside quotes.
    public static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Writes a value on one line, the members of objects in the order of their names.
    public static func line(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return quoted(text)
        case .array(let values): return "[\(values.map(line).joined(separator: ","))]"
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(line($0.value))" }
            return "{\(sorted.joined(separator: ","))}"
        case .null, .boolean, .integer, .number: return value.scalarText ?? "null"
        }
    }
}
