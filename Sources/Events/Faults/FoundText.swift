/// What was found, in the words of a fault.
enum FoundText {
    /// The most bytes of a text that are shown.
    static let bytesMax = 64

    /// Describes a value: a scalar as it stands, a container by its kind.
    static func of(_ value: JSONValue) -> String {
        switch value.kind {
        case .object: return "an object"
        case .array: return "an array"
        case .string: return unsafe value.string.map { unsafe quoted($0) } ?? "a text"
        case .integer, .number, .bool, .null:
            var buffer = ByteBuffer(capacity: 64)
            value.append(to: &buffer)
            return unsafe String(decoding: buffer.bytes, as: UTF8.self)
        }
    }

    /// Describes a value that may be a secret: by its kind and length only.
    static func hidden(_ value: JSONValue) -> String {
        guard let text = unsafe value.string else { return of(value) }
        return "a text of \(text.count) bytes"
    }

    /// A text in quotes, escaped as in JSON, cut when it is long.
    ///
    /// DEL and the controls above ASCII are escaped too, which JSON does not ask for: they cannot be seen, and a terminal
    /// acts upon some of them.
    static func quoted(_ bytes: UnsafeRawBufferPointer) -> String {
        var end = min(bytes.count, bytesMax)
        while unsafe end > 0 && end < bytes.count && bytes[end] & 0xC0 == 0x80 { end -= 1 }
        var buffer = ByteBuffer(capacity: 128)
        unsafe buffer.append(jsonString: bytes.part(0, end))
        let text = unsafe visible(String(decoding: buffer.bytes, as: UTF8.self))
        return bytes.count > end ? text + "… (\(bytes.count) bytes)" : text
    }

    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                shown += "\\u00" + String(scalar.value, radix: 16)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { (0x7F..<0xA0).contains(scalar.value) }
}
