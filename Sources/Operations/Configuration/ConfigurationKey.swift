/// One key of the configuration: what the parser, `--help`, the environment and the documentation say of it.
public struct ConfigurationKey: Sendable {
    /// What a value must be, and where it goes.
    enum Kind: Sendable {
        case text(TextRule, @Sendable (inout Configuration, String) -> Void)
        /// An empty text means that it is not set.
        case optionalText(TextRule, @Sendable (inout Configuration, String?) -> Void)
        case integer(ClosedRange<Int>, @Sendable (inout Configuration, Int) -> Void)
        case number(ClosedRange<Double>, @Sendable (inout Configuration, Double) -> Void)
        case choice([String], @Sendable (inout Configuration, String) -> Void)
        case kafkaProperties
        case apps
    }

    /// The name in the file: `delivery.lanes` is `lanes` inside `delivery`.
    public let name: String
    /// One line that says what it does.
    public let help: String
    /// The default as it is written; empty where there is none.
    public let defaultText: String
    /// Whether its value may hold a password, and so is never printed.
    public let isSecret: Bool
    let kind: Kind

    init(_ name: String, default defaultText: String = "", isSecret: Bool = false, _ help: String, _ kind: Kind) {
        self.name = name
        self.defaultText = defaultText
        self.isSecret = isSecret
        self.help = help
        self.kind = kind
    }

    /// The option without its dashes: `delivery-lanes`.
    public var flag: String { words.joined(separator: "-") }

    /// The environment variable: `GEOPUSH_DELIVERY_LANES`.
    public var environmentName: String { "GEOPUSH_" + words.map { $0.uppercased() }.joined(separator: "_") }

    /// The type and range, as documentation writes them: `integer, 1...64`.
    public var typeText: String {
        switch kind {
        case .text(let rule, _), .optionalText(let rule, _): rule.typeText
        case .integer(let range, _): "integer, \(range.lowerBound)...\(range.upperBound)"
        case .number(let range, _): "number, \(shortText(range.lowerBound))...\(shortText(range.upperBound))"
        case .choice(let names, _): names.joined(separator: " or ")
        case .kafkaProperties: "object of librdkafka properties"
        case .apps: "list of {id, topic, teamId, keyId, keyFile, pushesTopic?}"
        }
    }

    /// What stands for the value in `--help`: the last word of a name, `n` where that is no quantity.
    var valueName: String {
        let word = words.last ?? name
        if case .integer = kind, word != "seconds" { return "n" }
        return word
    }

    /// What `--help` says of the option: what it does, and which words it takes.
    var optionHelp: String {
        guard case .choice(let names, _) = kind else { return help }
        return "\(help) One of \(names.joined(separator: ", "))."
    }

    /// The key of a name.
    ///
    /// - Parameter name: A name as in the file.
    /// - Returns: Nil when there is no such key.
    public static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

    /// Splits `kafka.bootstrapServers` into `kafka`, `bootstrap`, `servers`.
    private var words: [String] {
        var words = [""]
        for character in name {
            if character == "." {
                words.append("")
            } else if character.isUppercase {
                words.append(character.lowercased())
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}

/// Writes a bound without a needless fraction: `60`, `0.1`.
private func shortText(_ value: Double) -> String {
    value == value.rounded() ? String(Int64(value)) : String(value)
}
