/// The options and arguments of one call, checked against the command's description.
public struct ParsedArguments: Sendable {
    private var valuesByName: [String: [String]] = [:]

    /// Makes an empty set.
    public init() {}

    /// Whether an option was given.
    public func has(_ name: String) -> Bool { valuesByName[name] != nil }

    /// The value of an option or argument; of several, the last.
    public func text(_ name: String) -> String? { valuesByName[name]?.last }

    /// All values of an option or argument that may be given several times.
    public func texts(_ name: String) -> [String] { valuesByName[name] ?? [] }

    /// The value of an option that takes a whole number.
    public func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    /// The names in the value of an option that takes several, separated by commas.
    public func choices(_ name: String) -> [String]? {
        text(name).map { $0.split(separator: ",").map(String.init) }
    }

    /// The last value of each option.
    public var byName: [String: String] { valuesByName.compactMapValues(\.last) }

    mutating func add(_ name: String, _ value: String) {
        valuesByName[name, default: []].append(value)
    }
}
