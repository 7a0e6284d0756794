import Cryptography
import Testing

@Suite struct `P-256 verifying key` {
    /// RFC 7515 A.3: an ES256 token with its public key.
    private let message = Array(
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            .utf8
    )
    private let raw = Base64.decode(
        Array("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q".utf8)
    )
    private let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """

    @Test func `verifies the example of RFC 7515`() throws {
        let key = try P256.VerifyingKey(pem: Array(pem.utf8))
        #expect(key.isValid(signature: try #require(raw), of: message))
    }

    @Test func `verifies the same signature as DER`() throws {
        let key = try P256.VerifyingKey(pem: Array(pem.utf8))
        let raw = try #require(raw)
        #expect(key.isValid(signature: der(raw), of: message))
    }

    @Test func `refuses a changed message, a changed signature and another key`() throws {
        let key = try P256.VerifyingKey(pem: Array(pem.utf8))
        var signature = try #require(raw)
        #expect(!key.isValid(signature: signature, of: message + [0]))
        #expect(try !P256.SigningKey().verifyingKey.isValid(signature: signature, of: message))
        signature[10] ^= 1
        #expect(!key.isValid(signature: signature, of: message))
        #expect(!key.isValid(signature: der(signature), of: message))
    }

    @Test(arguments: [0, 1, 63, 64, 65, 70, 72, 200])
    func `refuses rubbish of any length`(count: Int) throws {
        let key = try P256.VerifyingKey(pem: Array(pem.utf8))
        #expect(!key.isValid(signature: .init(repeating: 0, count: count), of: message))
        #expect(!key.isValid(signature: .init(repeating: 0x30, count: count), of: message))
        #expect(!key.isValid(signature: .init(repeating: 0xFF, count: count), of: message))
    }

    @Test func `refuses DER that is cut short or goes on`() throws {
        let key = try P256.VerifyingKey(pem: Array(pem.utf8))
        let signature = der(try #require(raw))
        #expect(!key.isValid(signature: signature.dropLast(), of: message))
        #expect(!key.isValid(signature: signature + [0], of: message))
    }

    @Test func `is read from the private key too`() throws {
        let key = try P256.SigningKey()
        #expect(try P256.VerifyingKey(pem: Array(key.pem().utf8)) == key.verifyingKey)
    }

    @Test func `survives being written and read`() throws {
        let key = try P256.SigningKey().verifyingKey
        #expect(try P256.VerifyingKey(pem: Array(key.pem().utf8)) == key)
    }

    @Test func `prints as redacted`() throws {
        #expect(try "\(P256.SigningKey().verifyingKey)" == "<redacted>")
    }

    /// ECDSA-Sig-Value by hand, so that the code under test does not judge itself.
    private func der(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        let body = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(body.count)] + body
    }
}
