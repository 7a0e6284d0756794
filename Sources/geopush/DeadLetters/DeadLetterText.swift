/// Dead letters as people read them.
enum DeadLetterText {
    /// The most bytes of a value that are shown.
    private static let previewBytesMax = 4_096
    private static let columns = Columns(widths: [8, 24, 36, 26, 24])

    /// The line above the table.
    static let header = columns.line(["PLACE", "TIME", "SOURCE", "CODE", "KEY", "MESSAGE"])

    /// The line of one dead letter in the table.
    static func line(_ letter: DeadLetter) -> String {
        columns.line([
            "\(letter.place)", letter.time, VisibleText.line(letter.source), VisibleText.line(letter.code),
            letter.keyText, VisibleText.line(letter.message),
        ])
    }

    /// All of one dead letter, with the beginning of its value.
    static func page(_ letter: DeadLetter) -> String {
        var lines = [
            ("place", "\(letter.place)"), ("time", letter.time), ("source", letter.source), ("code", letter.code),
            ("message", letter.message), ("key", letter.keyText),
        ]
        for header in letter.headers {
            let text = header.value.map { String(decoding: $0, as: UTF8.self) } ?? "null"
            lines.append(("header", "\(header.name): \(text)"))
        }
        if !letter.omitted.isEmpty { lines.append(("omitted", letter.omitted.joined(separator: ", "))) }
        lines.append(("value", letter.value.map { "\($0.count) bytes" } ?? "null"))
        let facts = lines.map { name, text in
            name + String(repeating: " ", count: 9 - name.count) + VisibleText.line(text) + "\n"
        }
        return facts.joined() + preview(letter.value ?? [])
    }

    private static func preview(_ value: [UInt8]) -> String {
        guard !value.isEmpty else { return "" }
        guard String(validating: value, as: UTF8.self) != nil else {
            return "\nThis is no text. With the output in a file or a pipe, the bytes are written as they came.\n"
        }
        let shown = VisibleText.lines(String(decoding: value.prefix(previewBytesMax), as: UTF8.self))
        let rest = value.count - previewBytesMax
        return "\n\(shown)\(rest > 0 ? "\n… and \(rest) bytes more" : "")\n"
    }
}
