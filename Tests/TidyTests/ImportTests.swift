import Testing

/// Who may import what.
@Suite struct ImportTests {
    /// The modules that own a C library, or a half of it.
    private static let owners: [String: Set<String>] = [
        "CLinux": ["EventLoop"],
        "CRdKafka": ["Kafka"],
        "CCurl": ["HTTP2"],
        "CMicrohttpd": ["AdminEndpoint"],
        "CNghttp2": ["HTTP2"],
        "COpenSSL": ["Cryptography", "HTTP2"],
        "CSimdjson": ["Events"],
        "CAllocator": ["geopush"],
        "CBaseline": ["geopush"],
    ]

    /// Modules on the path of a push.
    private static let hot: Set<String> = ["EventLoop", "Kafka", "HTTP2", "Cryptography", "APNs", "Events", "Pipeline"]

    private func imports(_ file: SourceFile) -> [(access: String, module: String, place: String)] {
        file.lines.enumerated().compactMap { number, line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 2, words.count > index + 1, line.first != " "
            else { return nil }
            let access = words[..<index].joined(separator: " ")
            return (access, String(words[index + 1]), "\(file.path):\(number + 1)")
        }
    }

    @Test func `C libraries are imported by their owners only`() {
        let places = SourceFile.product.flatMap { file in
            imports(file).filter { Self.owners[$0.module].map { !$0.contains(file.module) } ?? false }.map(\.place)
        }
        #expect(places == [])
    }

    @Test func `every C module has an owner`() {
        let modules = SourceFile.product.flatMap { imports($0).map(\.module) }
        let native = Set(modules.filter { $0.utf8.count > 1 && $0.hasPrefix("C") && $0.dropFirst().first!.isUppercase })
        #expect(native.subtracting(Self.owners.keys) == [])
    }

    @Test func `C types stay inside their module`() {
        let places = SourceFile.product.flatMap { file in
            imports(file).filter { Self.owners[$0.module] != nil && $0.access != "internal" }.map(\.place)
        }
        #expect(places == [])
    }

    @Test func `Foundation stays away from the path of a push`() {
        let places = SourceFile.product.filter { Self.hot.contains($0.module) }.flatMap { file in
            imports(file).filter { $0.module.hasPrefix("Foundation") || $0.module == "Dispatch" }.map(\.place)
        }
        #expect(places == [])
    }

    @Test func `only the essentials of Foundation are used`() {
        let places = SourceFile.product.flatMap { file in
            imports(file).filter { $0.module == "Foundation" || $0.module == "Dispatch" }.map(\.place)
        }
        #expect(places == [])
    }
}
