import Cryptography
import Testing

@Suite struct `Key that cannot be used` {
    @Test(arguments: [
        ("", KeyError.empty),
        (" \r\n\t\n", .empty),
        ("not a key", .notPEM),
        ("MIGHAgEAMBMGByqGSM49AgEG", .notPEM),
        (TestKeys.encrypted, .encrypted),
        (TestKeys.encryptedOldForm, .encrypted),
        (TestKeys.publicHalf, .publicKey),
        (TestKeys.certificate, .otherContent(label: "CERTIFICATE")),
        (TestKeys.rsa, .otherAlgorithm(name: "RSA")),
        (TestKeys.ed25519, .otherAlgorithm(name: "ED25519")),
        (TestKeys.secp384r1, .otherCurve(name: "secp384r1")),
        (TestKeys.secp256k1, .otherCurve(name: "secp256k1")),
    ])
    func `says what is wrong with it`(pem: String, expected: KeyError) {
        #expect(throws: expected) { try P256.SigningKey(pem: Array(pem.utf8)) }
    }

    @Test func `is damaged where the text is cut short or changed`() throws {
        let lines = TestKeys.pkcs8.split(separator: "\n").map(String.init)
        let damaged = [
            Array(lines.dropLast()),
            [lines[0]],
            [lines[0], "", lines[4]],
            [lines[0], lines[1], lines[4]],
            [lines[0], "!!!!", lines[4]],
        ]
        for lines in damaged {
            let error = #expect(throws: KeyError.self) {
                try P256.SigningKey(pem: Array(lines.joined(separator: "\n").utf8))
            }
            guard case .malformed = error else {
                Issue.record("\(lines.count) lines: \(String(describing: error))")
                continue
            }
        }
    }

    @Test func `is damaged where its halves do not belong together`() throws {
        // The private half begins at the tenth letter of its line, and the public one stands in the next.
        let pem = TestKeys.sec1.split(separator: "\n").map { line in
            line.hasPrefix("MHcCAQEE")
                ? line.prefix(30) + (line.dropFirst(30).first == "A" ? "B" : "A") + line.dropFirst(31) : line
        }.joined(separator: "\n")
        let error = #expect(throws: KeyError.self) { try P256.SigningKey(pem: Array(pem.utf8)) }
        guard case .malformed(let reason) = error else { throw KeyError.notPEM }
        #expect("\(reason)".contains("EVP_PKEY_pairwise_check"))
    }

    @Test func `is told from a usable one`() throws {
        let key = try P256.SigningKey(pem: Array(TestKeys.pkcs8.utf8))
        #expect(try key.verifyingKey == P256.VerifyingKey(pem: Array(TestKeys.publicHalf.utf8)))
        _ = try P256.SigningKey(pem: Array(TestKeys.sec1.utf8))
    }

    @Test func `leaves nothing in OpenSSL's error queue that a later one would show`() throws {
        #expect(throws: KeyError.self) { try P256.SigningKey(pem: Array(TestKeys.rsa.utf8)) }
        #expect(throws: KeyError.otherCurve(name: "secp384r1")) {
            try P256.SigningKey(pem: Array(TestKeys.secp384r1.utf8))
        }
    }

    @Test(arguments: ["-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----"])
    func `is damaged as a public key too`(pem: String) {
        let error = #expect(throws: KeyError.self) { try P256.VerifyingKey(pem: Array(pem.utf8)) }
        guard case .malformed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `is missing, or a folder`() {
        #expect(throws: KeyError.unreadable(code: 2)) { try P256.SigningKey(path: "/nonexistent/key.p8") }
        #expect(throws: KeyError.unreadable(code: 21)) { try P256.SigningKey(path: "/") }
        #expect(throws: KeyError.tooLarge(bytes: 65_537)) { try P256.SigningKey(path: "/dev/zero") }
    }

    @Test func `is described without a part of it`() throws {
        for pem in [TestKeys.pkcs8.replacing("MIGH", with: "MIGA"), TestKeys.rsa, TestKeys.encrypted] {
            let error = #expect(throws: KeyError.self) { try P256.SigningKey(pem: Array(pem.utf8)) }
            let text = "\(try #require(error))"
            for line in pem.split(separator: "\n") where !line.hasPrefix("-") { #expect(!text.contains(line)) }
            #expect(text.contains("expected"))
        }
    }

    @Test func `names the file's error in words`() {
        #expect(
            "\(KeyError.unreadable(code: 13))"
                == "the key file cannot be read (Permission denied): check its path and permissions"
        )
    }
}
