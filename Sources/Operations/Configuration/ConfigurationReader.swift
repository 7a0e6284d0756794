/// Puts a configuration together: flags win over the environment, that over the file, that over the defaults.
public struct ConfigurationReader: Sendable {
    private let file: (path: String, bytes: [UInt8])?
    private let environment: [String: String]
    private let flags: [String: String]

    /// Makes a reader of what was found.
    ///
    /// - Parameters:
    ///   - file: The configuration file and its bytes, where there is one.
    ///   - environment: The process's variables.
    ///   - flags: Values by option, without the dashes.
    public init(
        file: (path: String, bytes: [UInt8])? = nil,
        environment: [String: String] = [:],
        flags: [String: String] = [:]
    ) {
        self.file = file
        self.environment = environment
        self.flags = flags
    }

    /// Reads and checks all values.
    ///
    /// - Returns: The configuration, and what is odd in it without being wrong.
    /// - Throws: ``ConfigurationError`` with all faults, not the first only.
    public func read() throws(ConfigurationError) -> (configuration: Configuration, warnings: [String]) {
        (try assemble().configuration, strayVariables)
    }

    /// Reads and checks all values, and says of each where it comes from.
    ///
    /// - Returns: An entry for each key, in the order of ``ConfigurationKey/all``.
    /// - Throws: ``ConfigurationError`` with all faults.
    public func entries() throws(ConfigurationError) -> [ConfigurationEntry] {
        let given = try assemble().given
        return ConfigurationKey.all.map { ConfigurationEntry($0, given: given[$0.name]) }
    }

    private func assemble() throws(ConfigurationError) -> ConfigurationAssembler.Result {
        var assembler = ConfigurationAssembler()
        if let file { readFile(file.path, file.bytes, into: &assembler) }
        for key in ConfigurationKey.all {
            // Compose files set a variable to nothing where they have no value for it.
            if let text = environment[key.environmentName], !text.isEmpty {
                assembler.set(key, text: text, from: .environment(key.environmentName))
            }
        }
        for key in ConfigurationKey.all {
            if let text = flags[key.flag] { assembler.set(key, text: text, from: .flag(key.flag)) }
        }
        return try assembler.finish()
    }

    private func readFile(_ path: String, _ bytes: [UInt8], into assembler: inout ConfigurationAssembler) {
        do {
            let (document, lines) = try JSON5Document.read(bytes)
            guard case .object(let members) = document else {
                assembler.fault("\(path) holds \(document.kindName): expected an object of settings")
                return
            }
            read(members, under: "", (path, lines), into: &assembler)
        } catch {
            assembler.fault("\(path), line \(error.line), column \(error.column): \(error.message)")
        }
    }

    private func read(
        _ members: [String: JSONValue],
        under parent: String,
        _ file: (path: String, lines: [String: Int]),
        into assembler: inout ConfigurationAssembler
    ) {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let full = parent + name
            let source = ConfigurationSource.file(file.path, line: file.lines[full])
            if let key = ConfigurationKey.named(full) {
                assembler.set(key, value, from: source)
            } else if ConfigurationKey.all.contains(where: { $0.name.hasPrefix(full + ".") }) {
                if case .object(let inner) = value {
                    read(inner, under: full + ".", file, into: &assembler)
                } else if value != .null {
                    assembler.fault("invalid \(full) in \(source): found \(value.kindName), expected an object")
                }
            } else {
                assembler.fault("unknown key \"\(full)\" in \(source)\(Self.suggestion(for: full))")
            }
        }
    }

    private static func suggestion(for name: String) -> String {
        EditDistance.nearest(to: name, among: ConfigurationKey.all.lazy.map(\.name)).map { ": did you mean \($0)?" }
            ?? ""
    }

    /// Variables that are almost, and so not, the name of a key.
    ///
    /// Others that begin with GEOPUSH_ are left alone: Kubernetes sets some for a service of that name.
    private var strayVariables: [String] {
        let known = Set(ConfigurationKey.all.map(\.environmentName))
        let strays = environment.keys.filter { $0.hasPrefix("GEOPUSH_") && !known.contains($0) }
        return strays.sorted().compactMap { name in
            guard let near = EditDistance.nearest(to: name, among: known.sorted()),
                EditDistance.between(name, near) <= 3
            else { return nil }
            return "the variable \(name) is no key: did you mean \(near)?"
        }
    }
}
