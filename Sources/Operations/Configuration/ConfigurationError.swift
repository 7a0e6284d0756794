/// Everything that is wrong with a configuration.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The faults, each one sentence that says what, where and what was expected.
    public let faults: [String]

    /// Makes an error of faults.
    public init(_ faults: [String]) {
        self.faults = faults
    }

    /// The faults, one on a line.
    public var description: String { faults.joined(separator: "\n") }
}
