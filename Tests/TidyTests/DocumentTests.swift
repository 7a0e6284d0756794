import FoundationEssentials
import Testing

/// Documents that stay true.
@Suite struct DocumentTests {
    @Test(arguments: SourceFile.documents.filter { $0.path.hasSuffix(".md") })
    func `links lead to files of the repository`(document: SourceFile) {
        let folder = document.path.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        for line in document.lines {
            for part in line.split(separator: "](", omittingEmptySubsequences: false).dropFirst() {
                let target = part.prefix { $0 != ")" && $0 != "#" }
                guard !target.isEmpty, !target.hasPrefix("http") else { continue }
                let path = "\(SourceFile.root)/\(folder)\(target)"
                #expect(FileManager.default.fileExists(atPath: path), "\(document.path): \(target)")
            }
        }
    }

    @Test func `the README names each make target that it lists`() throws {
        let makefile = try SourceFile("Makefile")
        let readme = try SourceFile("README.md")
        for line in readme.lines where line.hasPrefix("    make ") {
            let target = line.split(separator: " ")[1]
            #expect(makefile.lines.contains { $0.hasPrefix("\(target):") }, "make \(target)")
        }
    }

    @Test func `the contributing guide names each module`() throws {
        let guide = try SourceFile("CONTRIBUTING.md")
        let modules = Set((SourceFile.product + SourceFile.native).map(\.module)).filter { $0 != "Support" }
        for module in modules where !module.hasSuffix("Tests") { #expect(guide.contains("`\(module)`"), "\(module)") }
    }

    @Test func `the root holds what belongs there`() throws {
        let allowed: Set = [
            ".build", ".ci", ".git", ".gitignore", ".swift-format", ".swiftpm", "CONTRIBUTING.md", "Config", "LICENSE",
            "Makefile",
            "Package.resolved", "Package.swift", "README.md", "Sources", "Tests", "deploy",
        ]
        let found = try FileManager.default.contentsOfDirectory(atPath: SourceFile.root)
        #expect(found.filter { !allowed.contains($0) } == [])
    }
}
