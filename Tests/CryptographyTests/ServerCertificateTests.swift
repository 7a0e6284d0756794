import Cryptography
import FoundationEssentials
import Glibc
import Testing

/// Judged by the `openssl` command, which did not make them.
@Suite struct `Server certificate` {
    private let now: Int64 = Int64(time(nil))

    @Test func `is trusted by its authority for localhost and 127_0_0_1`() throws {
        let files = try Files(ServerCertificate(nowSeconds: now))
        defer { files.remove() }
        for name in ["-verify_hostname localhost", "-verify_ip 127.0.0.1", "-verify_ip ::1"] {
            #expect(files.openssl("verify -x509_strict -purpose sslserver -CAfile ca.pem \(name) server.pem"))
        }
        #expect(!files.openssl("verify -CAfile ca.pem -verify_hostname example.com server.pem"))
        #expect(!files.openssl("verify -CAfile ca.pem -verify_ip 127.0.0.2 server.pem"))
    }

    @Test func `is not trusted by another authority`() throws {
        let files = try Files(ServerCertificate(nowSeconds: now))
        let others = try Files(ServerCertificate(nowSeconds: now))
        defer {
            files.remove()
            others.remove()
        }
        #expect(!files.openssl("verify -CAfile \(others.folder)/ca.pem server.pem"))
    }

    @Test func `speaks of the key beside it`() throws {
        let files = try Files(ServerCertificate(nowSeconds: now))
        defer { files.remove() }
        #expect(
            files.shell(
                "openssl x509 -in server.pem -noout -pubkey > a && openssl pkey -in server.key -pubout | cmp - a"
            )
        )
    }

    @Test func `is valid from an hour ago for as long as asked`() throws {
        let subject = ServerCertificate.Subject(names: ["localhost"], addresses: [], days: 2)
        let files = try Files(ServerCertificate(subject: subject, nowSeconds: now))
        defer { files.remove() }
        #expect(files.openssl("x509 -in server.pem -noout -checkend \(2 * 86_400 - 7_200)"))
        #expect(!files.openssl("x509 -in server.pem -noout -checkend \(2 * 86_400)"))
        #expect(files.openssl("verify -attime \(now - 3_000) -CAfile ca.pem server.pem"))
        #expect(!files.openssl("verify -attime \(now - 4_000) -CAfile ca.pem server.pem"))
    }

    @Test func `is refused for a name that is none`() {
        #expect(throws: OpenSSLError.self) {
            try ServerCertificate(subject: .init(addresses: ["not an address"]), nowSeconds: now)
        }
    }

    /// The three files in a folder of their own.
    private struct Files {
        let folder: String

        init(_ certificate: ServerCertificate) throws {
            folder = "\(FileManager.default.temporaryDirectory.path)/geopush-certificates-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(certificate.authorityPEM.utf8).write(to: URL(filePath: "\(folder)/ca.pem"))
            try Data(certificate.certificatePEM.utf8).write(to: URL(filePath: "\(folder)/server.pem"))
            try Data(certificate.key.pem().utf8).write(to: URL(filePath: "\(folder)/server.key"))
        }

        func openssl(_ arguments: String) -> Bool { shell("openssl \(arguments)") }

        func shell(_ command: String) -> Bool {
            system("cd '\(folder)' && { \(command); } >/dev/null 2>&1") == 0
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }
}
