/// One option of a command, or its positional argument.
public struct OptionDescription: Sendable {
    /// What an option's value must be.
    public enum Value: Sendable {
        /// The option stands alone.
        case none
        /// Any text.
        case text
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// One of these.
        case choice([String])
        /// Some of these, separated by commas.
        case choices([String])
    }

    /// The name without dashes; of a positional argument, the name of its value.
    public let name: String
    /// What stands in the place of the value in the help.
    public let valueName: String
    /// What a value must be.
    public let value: Value
    /// One sentence.
    public let help: String
    /// The default, as the help shows it.
    public let defaultText: String
    /// Whether it may be given several times.
    public let isRepeating: Bool
    /// Whether the command cannot do without it.
    public let isRequired: Bool
    /// Whether the help leaves it out.
    public let isHidden: Bool

    /// Describes an option.
    ///
    /// - Parameters:
    ///   - name: The name without dashes.
    ///   - value: What its value must be.
    ///   - valueName: What stands for the value in the help; the name, unless said otherwise.
    ///   - help: One sentence.
    ///   - defaultText: The default, as the help shows it.
    ///   - isRepeating: Whether it may be given several times.
    ///   - isRequired: Whether the command cannot do without it.
    ///   - isHidden: Whether the help leaves it out.
    public init(
        _ name: String,
        _ value: Value,
        valueName: String? = nil,
        help: String,
        default defaultText: String = "",
        isRepeating: Bool = false,
        isRequired: Bool = false,
        isHidden: Bool = false
    ) {
        self.name = name
        self.value = value
        self.valueName = valueName ?? name
        self.help = help
        self.defaultText = defaultText
        self.isRepeating = isRepeating
        self.isRequired = isRequired
        self.isHidden = isHidden
    }

    /// Whether a value follows the name.
    var takesValue: Bool {
        if case .none = value { false } else { true }
    }

    /// The same option, left out of the help.
    public var hidden: OptionDescription {
        OptionDescription(
            name,
            value,
            valueName: valueName,
            help: help,
            default: defaultText,
            isRepeating: isRepeating,
            isRequired: isRequired,
            isHidden: true
        )
    }
}
