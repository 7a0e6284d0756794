/// Where a value of the configuration was read.
enum ConfigurationSource: Equatable, Sendable, CustomStringConvertible {
    case file(String)
    case environment(String)
    case flag(String)

    var description: String {
        switch self {
        case .file(let path): path
        case .environment(let name): name
        case .flag(let name): "--\(name)"
        }
    }
}
