import FoundationEssentials
import FuzzTargets
import Testing

/// What the fuzzer has kept, given to its targets once more.
@Suite struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "corpus").path

    private func files(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = "\(Self.folder)/\(target.rawValue)"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            (name, Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `takes all that was ever found, and each beginning of it`(target: FuzzTarget) throws {
        let files = try files(of: target)
        #expect(files.count > 0)
        for file in files {
            file.bytes.withUnsafeBytes { target.run($0) }
            // A third of the way is inside nearly every part of it.
            for end in stride(from: 0, to: file.bytes.count, by: max(1, file.bytes.count / 3)) {
                file.bytes[..<end].withUnsafeBytes { target.run($0) }
            }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `stays small`(target: FuzzTarget) throws {
        let files = try files(of: target)
        #expect(files.count <= 64)
        #expect(files.filter { $0.bytes.count > 4_096 }.map(\.name) == [])
    }
}
