/// Where a value of the configuration was read.
public enum ConfigurationSource: Equatable, Sendable, CustomStringConvertible {
    /// It was read nowhere.
    case byDefault
    /// In the file of this path, on this line where that is known.
    case file(String, line: Int?)
    /// In the variable of this name.
    case environment(String)
    /// In the option of this name, without dashes.
    case flag(String)

    /// `default`, `file`, `environment` or `flag`.
    public var kind: String {
        switch self {
        case .byDefault: "default"
        case .file: "file"
        case .environment: "environment"
        case .flag: "flag"
        }
    }

    /// Where exactly, as a person looks for it: `c.json5:3`, `GEOPUSH_LOG_LEVEL`, `--log-level`.
    public var description: String {
        switch self {
        case .byDefault: "default"
        case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
        case .environment(let name): name
        case .flag(let name): "--\(name)"
        }
    }
}
