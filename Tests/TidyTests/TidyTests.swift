import Testing

/// Style that the formatter does not see; a broken rule is named with file and line.
@Suite struct TidyTests {
    @Test func `finds the sources`() {
        #expect(SourceFile.product.count > 100)
        #expect(SourceFile.native.count > 5)
        #expect(SourceFile.documents.count > 6)
        #expect(SourceFile.product.contains { $0.path == "Sources/EventLoop/Clock.swift" && $0.module == "EventLoop" })
    }

    @Test func `keeps files to 500 lines`() {
        let long = (SourceFile.swift + SourceFile.native).filter { $0.lines.count > 501 }.map(\.path)
        #expect(long == [])
    }

    @Test func `keeps functions to 70 lines`() {
        #expect(SourceFile.swift.flatMap { longFunctions($0) } == [])
    }

    /// Functions whose closing brace, which the formatter puts under their first word, is too far below.
    private func longFunctions(_ file: SourceFile) -> [String] {
        var long: [String] = []
        var open: (indent: Int, line: Int)?
        for (number, line) in file.lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            let rest = line.dropFirst(indent)
            if let start = open, indent == start.indent, rest.hasPrefix("}") {
                if number - start.line > 70 { long.append("\(file.path):\(start.line + 1)") }
                open = nil
            } else if open == nil, isFunction(rest) {
                open = (indent, number)
            }
        }
        return long
    }

    private func isFunction(_ line: Substring) -> Bool {
        let words = line.split(separator: " ")
        let start = words.firstIndex { $0 == "func" || $0.hasPrefix("init(") || $0 == "deinit" }
        guard let start, line.hasSuffix("{") || line.hasSuffix("(") else { return false }
        return words[..<start].allSatisfy { $0.hasPrefix("@") || $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
    }

    @Test(arguments: ["TODO", "FIXME", "XXX", "HACK"])
    func `leaves no work behind`(word: String) {
        let own = "Tests/TidyTests/"
        let files = (SourceFile.swift + SourceFile.native + SourceFile.documents).filter { !$0.path.hasPrefix(own) }
        #expect(files.flatMap { $0.places { contains($0, word: word) } } == [])
    }

    @Test func `names no path of the machine where it was written`() {
        let paths = ["/work", "/tmp/h", "../shared"].map { $0 + "/" }
        let own = "Tests/TidyTests/"
        let files = (SourceFile.swift + SourceFile.native + SourceFile.documents).filter { !$0.path.hasPrefix(own) }
        #expect(files.flatMap { file in file.places { line in paths.contains { has(line, $0) } } } == [])
    }

    @Test func `traps on nothing that can happen`() {
        let traps = ["try!", " as! ", "fatalError(", "preconditionFailure("]
        let places = SourceFile.product.flatMap { file in
            file.places { line in !isComment(line) && traps.contains { has(line, $0) } }
        }
        #expect(places == [])
    }

    @Test func `prints only through the standard streams`() {
        let places = SourceFile.product.flatMap { file in
            file.places { $0.trimmingPrefix { $0 == " " }.hasPrefix("print(\"") || has($0, " debugPrint(") }
        }
        #expect(places == [])
    }

    @Test func `waits in tests for events, never for time`() {
        let sleeps = ["usleep(", "Thread.sleep", "Task.sleep", " sleep(", "nanosleep("]
        let files = SourceFile.swift.filter { !$0.path.hasPrefix("Tests/TidyTests/") }
        #expect(files.flatMap { file in file.places { line in sleeps.contains { has(line, $0) } } } == [])
    }

    @Test func `names tests by facts`() {
        let tests = SourceFile.swift.filter { $0.path.hasPrefix("Tests/") }
        let places = tests.flatMap { file in
            file.places { has($0, "@Test func ") && !has($0, "@Test func `") && !isComment($0) && !has($0, "\"") }
        }
        #expect(places == [])
    }

    @Test func `explains every package declaration`() {
        let places = SourceFile.product.flatMap { file in
            file.lines.indices.filter { index in
                let line = file.lines[index].trimmingPrefix { $0 == " " }
                guard line.hasPrefix("package "), index > 0 else { return false }
                let above = file.lines[..<index].last { !$0.trimmingPrefix { $0 == " " }.hasPrefix("@") } ?? ""
                return !above.trimmingPrefix { $0 == " " }.hasPrefix("///")
            }.map { "\(file.path):\($0 + 1)" }
        }
        #expect(places == [])
    }

    @Test func `says why a type may be shared`() {
        let places = SourceFile.product.flatMap { file in
            file.lines.indices.filter { index in
                let line = file.lines[index]
                guard has(line, "@unchecked Sendable"), !isComment(line) else { return false }
                let near = file.lines[max(0, index - 20)..<min(file.lines.count, index + 20)]
                let words = ["Sendable", "thread", "lock", "immutable", "changes"]
                return !near.contains { line in isComment(line) && words.contains { has(line, $0) } }
            }.map { "\(file.path):\($0 + 1)" }
        }
        #expect(places == [])
    }
}

private func has(_ line: Substring, _ part: String) -> Bool { line.utf8.firstRange(of: part.utf8) != nil }

private func isComment(_ line: Substring) -> Bool { line.trimmingPrefix { $0 == " " }.hasPrefix("//") }

/// Whether a word stands in a line by itself.
private func contains(_ line: Substring, word: String) -> Bool {
    line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
}
