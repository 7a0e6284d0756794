/// A configuration in the making, with the faults found so far.
struct ConfigurationAssembler {
    /// What came of it.
    struct Result {
        let configuration: Configuration
        /// Each value that was set, by its key, as it was written, and where.
        let given: [String: (value: JSONValue, source: ConfigurationSource)]
    }

    private var configuration = Configuration()
    private var given: [String: (value: JSONValue, source: ConfigurationSource)] = [:]
    private var faults: [String] = []

    /// Notes what is wrong.
    mutating func fault(_ text: String) {
        faults.append(text)
    }

    /// Hands out the configuration.
    ///
    /// - Throws: All faults, if there are any.
    consuming func finish() throws(ConfigurationError) -> Result {
        let retry = configuration.delivery
        if retry.retryBaseSeconds > retry.retryMaxSeconds {
            fault(
                "invalid delivery.retry: baseSeconds \(retry.retryBaseSeconds) is over maxSeconds \(retry.retryMaxSeconds)"
            )
        }
        guard faults.isEmpty else { throw ConfigurationError(faults) }
        return Result(configuration: configuration, given: given)
    }

    /// Takes the value of a key as an option or a variable spells it.
    mutating func set(_ key: ConfigurationKey, text: String, from source: ConfigurationSource) {
        switch key.kind {
        case .text, .optionalText, .choice:
            set(key, .string(text), from: source)
        case .integer:
            set(key, Int64(text).map { .integer($0) } ?? .string(text), from: source)
        case .number:
            set(key, Double(text).map { .number($0) } ?? .string(text), from: source)
        case .kafkaProperties, .apps:
            do {
                set(key, try JSON5Document.parse(Array(text.utf8)), from: source)
            } catch {
                fault("invalid \(key.name) (\(source)), column \(error.column): \(error.message)")
            }
        }
    }

    /// Takes the value of a key; null leaves it as it is.
    mutating func set(_ key: ConfigurationKey, _ value: JSONValue, from source: ConfigurationSource) {
        guard value != .null else { return }
        given[key.name] = (value, source)
        switch key.kind {
        case .text(let rule, let assign):
            if let text = text(of: value, rule, key, source) { assign(&configuration, text) }
        case .optionalText(let rule, let assign):
            if value == .string("") {
                assign(&configuration, nil)
            } else if let text = text(of: value, rule, key, source) {
                assign(&configuration, text)
            }
        case .integer(let range, let assign):
            guard case .integer(let number) = value, let number = Int(exactly: number), range ~= number else {
                return refuse(value, key, source)
            }
            assign(&configuration, number)
        case .number(let range, let assign):
            guard let number = value.asNumber, range ~= number else { return refuse(value, key, source) }
            assign(&configuration, number)
        case .choice(let names, let assign):
            guard case .string(let name) = value, names.contains(name) else { return refuse(value, key, source) }
            assign(&configuration, name)
        case .kafkaProperties:
            setProperties(value, source)
        case .apps:
            var reader = AppsReader(source: source)
            configuration.apps = reader.read(value)
            faults += reader.faults
        }
    }

    private mutating func text(
        of value: JSONValue,
        _ rule: TextRule,
        _ key: ConfigurationKey,
        _ source: ConfigurationSource
    ) -> String? {
        guard case .string(let text) = value else {
            refuse(value, key, source)
            return nil
        }
        guard let expected = rule.expectation(unmetBy: text) else { return text }
        fault("invalid \(key.name) \(shown(value, key)) (\(source)): expected \(expected)")
        return nil
    }

    private mutating func refuse(_ value: JSONValue, _ key: ConfigurationKey, _ source: ConfigurationSource) {
        fault("invalid \(key.name) \(shown(value, key)) (\(source)): expected \(key.typeText)")
    }

    private func shown(_ value: JSONValue, _ key: ConfigurationKey) -> String {
        let text = value.scalarText
        // Also where none belongs: a user with a password in front of a host, and a key in the place of its path.
        let holdsSecret = ["@", "-----BEGIN"].contains { text?.utf8.firstRange(of: $0.utf8) != nil }
        if key.isSecret || holdsSecret { return "<redacted>" }
        return text.map { "\"\($0)\"" } ?? value.kindName
    }

    // MARK: - kafka.properties

    private mutating func setProperties(_ value: JSONValue, _ source: ConfigurationSource) {
        guard case .object(let members) = value else {
            fault("invalid kafka.properties (\(source)): found \(value.kindName), expected an object")
            return
        }
        var properties: [String: String] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let reason = KafkaProperties.refusal(of: name) {
                fault("kafka.properties \"\(name)\" (\(source)) is refused: \(reason)")
            } else if case .flag = source, KafkaProperties.isSecret(name, value: value.scalarText ?? "") {
                fault("kafka.properties \"\(name)\" is a secret: set it in the file or in GEOPUSH_KAFKA_PROPERTIES")
            } else if let text = value.scalarText {
                properties[name] = text
            } else {
                fault("kafka.properties \"\(name)\" (\(source)) is \(value.kindName): expected a single value")
            }
        }
        configuration.kafka.properties = KafkaProperties(properties)
    }
}

extension JSONValue {
    /// The value as a number that is finite.
    fileprivate var asNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value) where value.isFinite: value
        default: nil
        }
    }
}
