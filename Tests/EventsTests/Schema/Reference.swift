@testable import Events

/// Config/events.md: its tables of fields.
struct Reference {
    /// One row.
    struct Row: Equatable {
        let name: String
        let type: String
        let isRequired: Bool
        let meaning: String
    }

    /// The rows of each section, by the section's name.
    let sections: [String: [Row]]

    init() throws {
        let lines = String(decoding: try repositoryFile("Config/events.md"), as: UTF8.self).split(separator: "\n")
        var sections: [String: [Row]] = [:]
        var section = ""
        for line in lines {
            if line.hasPrefix("#") {
                section = Self.code(line) ?? ""
            } else if line.hasPrefix("| `"), !section.isEmpty {
                let cells = line.split(separator: "|").map { $0.trimming { $0 == " " } }
                guard let meaning = cells.last, cells.count == 2 || cells.count == 4 else { continue }
                let row = Row(
                    name: Self.code(cells[0]) ?? "",
                    type: String(cells[1]),
                    isRequired: cells.count == 4 && cells[2] == "yes",
                    meaning: String(meaning)
                )
                sections[section, default: []].append(row)
            }
        }
        self.sections = sections
    }

    /// The sentence that says what a field means.
    func meaning(of name: String, in section: String) -> String {
        let row = sections[section]?.first { $0.name == name }
        return row?.meaning.filter { $0 != "`" } ?? ""
    }

    /// The section of an object in a field: by its path in the event's data.
    static func section(of name: String, in section: String, _ shape: ValueShape) -> String {
        section == "audience" || section == "data" ? "\(section).\(name)" : name
    }

    private static func code(_ text: Substring) -> String? {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[1]) : nil
    }
}

extension Substring {
    fileprivate func trimming(_ isSpace: (Character) -> Bool) -> Substring {
        var text = drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}

extension ValueShape {
    /// The shape in the words of the reference's tables.
    var typeText: String {
        switch self {
        case .id: "id"
        case .text: "text"
        case .filledText: "text, not empty"
        case .line(let bytesMax): "text of 1 to \(bytesMax) bytes"
        case .choice(let words): words.texts.map { "`\($0)`" }.joined(separator: ", ")
        case .time: "time"
        case .link: "URL"
        case .token: "token"
        case .integer(let range):
            range.upperBound == .max
                ? "integer from \(range.lowerBound)" : "integer, \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "number, \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .positive: "number above 0"
        case .flag: "true or false"
        case .yes: "true"
        case .list(.id, let least): least > 0 ? "list of ids, not empty" : "list of ids"
        case .list(.text, _): "list of texts"
        case .object, .anyObject: "object"
        case .textOrObject: "text or object"
        case .unchecked: "text"
        case .devices: "list of objects, not empty"
        }
    }
}
