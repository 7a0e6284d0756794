import Glibc
import Testing

@testable import APNsSimulator

struct TLSDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ name: String) -> [UInt8]? { folder.read(name) }

    @Test func `makes a folder that is missing and fills it`() throws {
        let directory = try TLSDirectory(path: folder.path + "/deep/er")
        #expect(directory.authorityPath == folder.path + "/deep/er/ca.pem")
        #expect(read("deep/er/ca.pem")?.starts(with: "-----BEGIN CERTIFICATE".utf8) == true)
        #expect(read("deep/er/server.pem")?.starts(with: "-----BEGIN CERTIFICATE".utf8) == true)
        #expect(read("deep/er/server.key")?.starts(with: "-----BEGIN PRIVATE KEY".utf8) == true)
        var status = stat()
        #expect(stat(directory.keyPath, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func `keeps what a folder holds`() throws {
        _ = try TLSDirectory(path: folder.path)
        let before = read("ca.pem")
        _ = try TLSDirectory(path: folder.path)
        #expect(read("ca.pem") == before)
    }

    @Test func `refuses a folder that holds other things`() throws {
        folder.write("x", to: "notes.txt")
        #expect {
            try TLSDirectory(path: folder.path)
        } throws: { "\($0)".contains("ca.pem is missing") }
        #expect(read("ca.pem") == nil)
    }

    @Test func `refuses a path that is a file`() throws {
        folder.write("x", to: "file")
        #expect(throws: SimulatorError.self) { try TLSDirectory(path: folder.path + "/file") }
        #expect(throws: SimulatorError.self) { try TLSDirectory(path: folder.path + "/file/deeper") }
    }

    @Test func `removes a temporary folder with its files`() throws {
        var path = ""
        do {
            let directory = try TLSDirectory(path: nil)
            path = directory.authorityPath
            #expect(access(path, F_OK) == 0)
        }
        #expect(access(path, F_OK) != 0)
    }

    @Test(arguments: ["ca.pem", "server.pem", "server.key"])
    func `names a file that is damaged`(name: String) throws {
        _ = try TLSDirectory(path: folder.path)
        folder.write("damaged", to: name)
        var options = SimulatorOptions()
        options.tlsDirectory = folder.path
        // The authority is for the clients alone.
        if name == "ca.pem" {
            _ = try APNsSimulator(options)
        } else {
            #expect {
                try APNsSimulator(options)
            } throws: { "\($0)".contains("/\(name)") }
        }
    }
}
