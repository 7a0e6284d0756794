import FoundationEssentials
import Glibc
import Testing

/// A file of this repository, with its lines.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// The path from the root.
    let path: String
    /// The lines without their ends.
    let lines: [Substring]
    private let characters: [CChar]

    init(_ path: String) throws {
        self.path = path
        let text = try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8)
        characters = Array(text.utf8CString)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var testDescription: String { path }

    /// The target that it belongs to, by its folder.
    var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    /// The lines that hold one of some texts and for which a condition holds, as `path:line` from 1.
    func places(of parts: [String], where condition: (Substring) -> Bool = { _ in true }) -> [String] {
        // Few files hold any of them, and looking through a file is far quicker than through its lines.
        guard parts.contains(where: contains) else { return [] }
        return lines.enumerated().filter { _, line in
            condition(line) && parts.contains { line.utf8.firstRange(of: $0.utf8) != nil }
        }.map { "\(path):\($0.offset + 1)" }
    }

    /// Whether it holds a text.
    func contains(_ part: String) -> Bool { strstr(characters, part) != nil }

    // MARK: - The repository

    static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// The files under some folders with one of these endings.
    static func all(in folders: [String], _ endings: [String]) -> [SourceFile] {
        folders.flatMap { folder in
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
            return paths.sorted().filter { path in endings.contains { path.hasSuffix($0) } }
                .compactMap { try? SourceFile("\(folder)/\($0)") }
        }
    }

    static let swift = all(in: ["Sources", "Tests"], [".swift"])
    static let product = swift.filter { $0.path.hasPrefix("Sources/") }
    static let native = all(in: ["Sources", "Tests"], [".c", ".cpp", ".h"])
    static let documents =
        all(in: ["Config", "deploy"], [".md", ".json5", ".yaml", "Dockerfile"])
        + ["README.md", "CONTRIBUTING.md", "Makefile", ".ci/setup"].compactMap { try? SourceFile($0) }
}
