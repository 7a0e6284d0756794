import Testing

@testable import Operations

/// Files of this repository.
enum Repository {
    /// Reads a file.
    ///
    /// - Parameter path: From the root of the repository.
    static func text(_ path: String, file: String = #filePath) throws -> String {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        let tests = try #require(parts.lastIndex(of: "Tests"))
        let root = parts[..<tests].joined(separator: "/")
        return String(decoding: try FileContent.read("\(root)/\(path)"), as: UTF8.self)
    }
}
