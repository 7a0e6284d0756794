internal import Operations

/// What one look at one thing has found.
struct Finding {
    /// The thing.
    let name: String
    /// Whether it is as it should be.
    let isRight: Bool
    /// What was found; of what is wrong also what to do.
    let text: String

    /// Makes a finding of something that is as it should be.
    static func right(_ name: String, _ text: String) -> Finding {
        Finding(name: name, isRight: true, text: text)
    }

    /// Makes a finding of something that is not.
    static func wrong(_ name: String, _ text: String) -> Finding {
        Finding(name: name, isRight: false, text: text)
    }

    /// The line for people.
    ///
    /// - Parameter isColoured: Whether the first word gets a colour.
    /// - Returns: The line with its line feed.
    func line(isColoured: Bool) -> String {
        let word = isRight ? "ok" : "wrong"
        let padding = String(repeating: " ", count: 7 - word.count)
        let shown = isColoured ? "\u{1B}[\(isRight ? "32" : "31")m\(word)\u{1B}[0m" : word
        return "\(shown)\(padding)\(VisibleText.line("\(name): \(text)"))\n"
    }

    /// One JSON object on one line.
    var json: String {
        "{\"check\":\(JSONText.quoted(name)),\"ok\":\(isRight),\"text\":\(JSONText.quoted(text))}\n"
    }
}
