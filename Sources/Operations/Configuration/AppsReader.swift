/// Reads the list of apps.
struct AppsReader {
    private static let names = ["id", "topic", "teamId", "keyId", "keyFile", "pushesTopic"]

    private let source: ConfigurationSource
    private(set) var faults: [String] = []

    init(source: ConfigurationSource) {
        self.source = source
    }

    /// Reads the list; what is wrong stands in ``faults`` afterwards.
    mutating func read(_ value: JSONValue) -> [Configuration.App] {
        guard case .array(let entries) = value else {
            faults.append("invalid apps (\(source)): found \(value.kindName), expected a list")
            return []
        }
        var apps: [Configuration.App] = []
        for (index, entry) in entries.enumerated() {
            guard let app = app(entry, "apps[\(index)]") else { continue }
            for other in apps where other.id == app.id {
                faults.append("apps[\(index)].id \"\(app.id)\" (\(source)) stands twice")
            }
            for other in apps where other.topic == app.topic {
                faults.append(
                    "apps[\(index)].topic \"\(app.topic)\" (\(source)) belongs to the app \"\(other.id)\" already"
                )
            }
            apps.append(app)
        }
        return apps
    }

    private mutating func app(_ value: JSONValue, _ path: String) -> Configuration.App? {
        guard case .object(let members) = value else {
            faults.append("invalid \(path) (\(source)): found \(value.kindName), expected an object")
            return nil
        }
        for name in members.keys.sorted() where !Self.names.contains(name) {
            let near = EditDistance.nearest(to: name, among: Self.names).map { ": did you mean \($0)?" } ?? ""
            faults.append("unknown key \"\(path).\(name)\" (\(source))\(near)")
        }
        let id = required("id", members, path)
        let topic = required("topic", members, path)
        let teamID = required("teamId", members, path)
        let keyID = required("keyId", members, path)
        let keyFile = required("keyFile", members, path)
        let pushesTopic = optional("pushesTopic", members, path)
        guard let id, let topic, let teamID, let keyID, let keyFile else { return nil }
        return Configuration.App(
            id: id,
            topic: topic,
            teamID: teamID,
            keyID: keyID,
            keyFile: keyFile,
            pushesTopic: pushesTopic
        )
    }

    private mutating func required(_ name: String, _ members: [String: JSONValue], _ path: String) -> String? {
        switch members[name] {
        case nil, .null:
            faults.append("\(path).\(name) (\(source)) is missing")
            return nil
        case .string(let text):
            if name == "keyFile" {
                if let expected = TextRule.path.expectation(unmetBy: text) {
                    // Without the text, which may be a key.
                    faults.append("invalid \(path).\(name) (\(source)): expected \(expected)")
                }
            } else if !isIdentifier(text) {
                faults.append(
                    "invalid \(path).\(name) \"\(text)\" (\(source)): expected 1 to 128 bytes without control characters"
                )
            }
            return text
        case .some(let value):
            faults.append("invalid \(path).\(name) (\(source)): found \(value.kindName), expected a text")
            return nil
        }
    }

    private mutating func optional(_ name: String, _ members: [String: JSONValue], _ path: String) -> String? {
        switch members[name] {
        case nil, .null, .string(""):
            return nil
        case .string(let text):
            if text.utf8.count > 249 || !text.utf8.allSatisfy(isTopicByte) {
                faults.append("invalid \(path).\(name) \"\(text)\" (\(source)): expected the name of a topic")
            }
            return text
        case .some(let value):
            faults.append("invalid \(path).\(name) (\(source)): found \(value.kindName), expected a text")
            return nil
        }
    }

    private func isIdentifier(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
