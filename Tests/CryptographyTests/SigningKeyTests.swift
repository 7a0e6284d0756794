import Cryptography
import Testing

@Suite struct `P-256 signing key` {
    @Test func `signs 64 bytes that its public half verifies`() throws {
        let key = try P256.SigningKey()
        let message = Array("header.claims".utf8)
        let signature = try key.sign(message)
        #expect(signature.count == 64)
        #expect(key.verifyingKey.isValid(signature: signature, of: message))
    }

    @Test func `makes raw signatures also where r or s begins with zeros`() throws {
        let key = try P256.SigningKey()
        // One signature in 128 has a shorter r or s.
        for number in 0..<400 {
            let message = Array("\(number)".utf8)
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.verifyingKey.isValid(signature: signature, of: message))
        }
    }

    @Test func `signs the same bytes alike exactly where OpenSSL can`() throws {
        let key = try P256.SigningKey()
        let message = Array("header.claims".utf8)
        #expect(try (key.sign(message) == key.sign(message)) == P256.SigningKey.isDeterministic)
    }

    @Test func `survives being written and read`() throws {
        let key = try P256.SigningKey()
        let pem = try key.pem()
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let read = try P256.SigningKey(pem: Array(pem.utf8))
        #expect(read.verifyingKey == key.verifyingKey)
        let signature = try read.sign([1, 2, 3])
        #expect(key.verifyingKey.isValid(signature: signature, of: [1, 2, 3]))
    }

    @Test func `is made anew each time`() throws {
        #expect(try P256.SigningKey().verifyingKey != P256.SigningKey().verifyingKey)
    }

    @Test func `reads files with Windows line ends and without a last line end`() throws {
        let pem = try P256.SigningKey().pem()
        _ = try P256.SigningKey(pem: Array(pem.split(separator: "\n").joined(separator: "\r\n").utf8))
    }

    @Test func `prints as redacted`() throws {
        let key = try P256.SigningKey()
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "<redacted>")
        #expect(String(reflecting: key) == "<redacted>")
        #expect(dumped == "- <redacted>\n")
        #expect("\([key])" == "[<redacted>]")
    }

    @Test func `signs from several threads at once`() async throws {
        let key = try P256.SigningKey()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<4 {
                group.addTask {
                    let message = Array("\(task)".utf8)
                    return try (0..<50).allSatisfy { _ in
                        try key.verifyingKey.isValid(signature: key.sign(message), of: message)
                    }
                }
            }
            for try await isValid in group { #expect(isValid) }
        }
    }
}
