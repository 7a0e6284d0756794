internal import Cryptography
internal import Operations

/// Bytes that somebody else wrote, as text that can be shown.
enum VisibleText {
    /// A text on one line, without characters that a terminal acts upon, or that hide or reorder what stands around.
    static func line(_ text: String) -> String { escaped(text) { _ in false } }

    /// A text whose lines stay lines.
    static func lines(_ text: String) -> String { escaped(text) { $0 == "\n" || $0 == "\t" } }

    private static func escaped(_ text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            if isActive(scalar), !isKept(scalar) {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // But for the joiners, which Indic scripts and emoji need.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }

    /// A member of a JSON object: a text, base 64 where the bytes are none, or null.
    ///
    /// - Parameters:
    ///   - name: The member's name, to which `Base64` is added for bytes that are no text.
    ///   - bytes: The bytes; nil is null.
    /// - Returns: Name and value.
    static func member(_ name: String, _ bytes: [UInt8]?) -> String {
        guard let bytes else { return "\"\(name)\":null" }
        if let text = String(validating: bytes, as: UTF8.self) { return "\"\(name)\":\(JSONText.quoted(text))" }
        let base64 = String(decoding: Base64.encode(bytes, alphabet: .standard), as: UTF8.self)
        return "\"\(name)Base64\":\"\(base64)\""
    }
}
