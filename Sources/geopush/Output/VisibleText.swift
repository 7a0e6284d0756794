internal import Cryptography
internal import Operations

/// Bytes that somebody else wrote, as text that can be shown.
enum VisibleText {
    /// A text on one line, without characters that a terminal acts upon.
    static func line(_ text: String) -> String { escaped(text) { _ in false } }

    /// A text whose lines stay lines.
    static func lines(_ text: String) -> String { escaped(text) { $0 == "\n" || $0 == "\t" } }

    private static func escaped(_ text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            if isControl, !isKept(scalar) {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
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
