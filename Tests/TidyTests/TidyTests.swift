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

    /// All that is written by hand, but for the rules themselves.
    private let written = (SourceFile.swift + SourceFile.native + SourceFile.documents).filter {
        !$0.path.hasPrefix("Tests/TidyTests/")
    }

    @Test(arguments: ["TODO", "FIXME", "XXX", "HACK"])
    func `leaves no work behind`(word: String) {
        let places = written.flatMap { file in
            file.places(of: [word]) { line in
                line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
            }
        }
        #expect(places == [])
    }

    @Test func `names no path of the machine where it was written`() {
        #expect(written.flatMap { $0.places(of: ["/work/", "/tmp/h/", "../shared"]) } == [])
    }

    @Test func `traps on nothing that can happen`() {
        let traps = ["try!", " as! ", "fatalError(", "preconditionFailure("]
        #expect(SourceFile.product.flatMap { $0.places(of: traps) { !isComment($0) } } == [])
    }

    @Test func `prints only through the standard streams`() {
        #expect(SourceFile.product.flatMap { $0.places(of: [" print(\"", " debugPrint("]) } == [])
    }

    @Test func `waits in tests for events, never for time`() {
        // What waits for a condition with a deadline is written once, in the tests' support.
        let tests = written.filter { $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/Support/") }
        let sleeps = ["usleep(", "Thread.sleep", "Task.sleep", " sleep(", "nanosleep("]
        #expect(tests.flatMap { $0.places(of: sleeps) } == [])
    }

    @Test func `names tests by facts`() {
        let tests = written.filter { $0.path.hasPrefix("Tests/") }
        #expect(tests.flatMap { $0.places(of: ["@Test func "]) { !has($0, "@Test func `") } } == [])
    }

    @Test func `explains every package declaration`() {
        let places = SourceFile.product.filter { $0.contains("package ") }.flatMap { file in
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
        let places = SourceFile.product.filter { $0.contains("@unchecked Sendable") }.flatMap { file in
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
