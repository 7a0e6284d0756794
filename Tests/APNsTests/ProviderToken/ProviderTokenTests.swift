import APNs
import Cryptography
import FoundationEssentials
import Glibc
import Testing

@Suite struct `Provider token` {
    private let identity = ProviderIdentity(teamID: "DEF123GHIJ", keyID: "ABC123DEFG")
    private let wall: Int64 = 1_796_115_600_000

    @Test func `is a bearer with exactly Apple's four members`() throws {
        let folder = try KeyFolder()
        try folder.write(P256.SigningKey())
        let token = try source(folder).current(wallMillis: wall, nowMillis: 0)
        let parts = try parts(token)
        #expect(parts.header == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(parts.claims == #"{"iss":"DEF123GHIJ","iat":1796113800}"#)
        #expect(token.issuedAtSeconds == 1_796_113_800)
    }

    @Test func `is spelled as it always was`() throws {
        let folder = try KeyFolder()
        try folder.write(P256.SigningKey())
        let token = try text(source(folder).current(wallMillis: wall, nowMillis: 0))
        #expect(
            token.hasPrefix(
                "bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ"
                    + ".eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxNzk2MTEzODAwfQ."
            )
        )
        #expect(token.utf8.count == 7 + 46 + 1 + 50 + 1 + 86)
    }

    @Test func `is verified by the openssl command`() throws {
        let folder = try KeyFolder()
        let key = try folder.write(P256.SigningKey())
        let parts = try parts(source(folder).current(wallMillis: wall, nowMillis: 0))
        #expect(parts.signature.count == 64)
        #expect(key.verifyingKey.isValid(signature: parts.signature, of: Array(parts.signed.utf8)))

        try folder.write(key.verifyingKey.pem(), as: "public.pem")
        try folder.write(parts.signed, as: "signed")
        try Data(der(parts.signature)).write(to: URL(filePath: folder.file("signature")))
        let command = "openssl dgst -sha256 -verify public.pem -signature signature signed"
        #expect(system("cd '\(folder.path)' && \(command) >/dev/null 2>&1") == 0)
        try folder.write(parts.signed + " ", as: "signed")
        #expect(system("cd '\(folder.path)' && \(command) >/dev/null 2>&1") != 0)
    }

    @Test func `prints as redacted`() throws {
        let folder = try KeyFolder()
        try folder.write(P256.SigningKey())
        let source = try source(folder)
        let token = source.current(wallMillis: wall, nowMillis: 0)
        var dumped = ""
        dump(token, to: &dumped)
        dump(source, to: &dumped)
        #expect("\(token)" == "<redacted>")
        #expect(String(reflecting: token) == "<redacted>")
        #expect("\(source)" == "DEF123GHIJ/ABC123DEFG <redacted>")
        #expect(String(reflecting: source) == "DEF123GHIJ/ABC123DEFG <redacted>")
        #expect(!dumped.contains("eyJ"))
        #expect(dumped.contains("<redacted>"))
    }

    private func source(_ folder: KeyFolder) throws -> ProviderTokenSource {
        try ProviderTokenSource(identity: identity, path: folder.file("key.p8"), wallMillis: wall, nowMillis: 0)
    }

    private func text(_ token: ProviderToken) -> String {
        withExtendedLifetime(token) { String(decoding: token.authorization, as: UTF8.self) }
    }

    private func parts(
        _ token: ProviderToken
    ) throws -> (header: String, claims: String, signed: String, signature: [UInt8]) {
        let parts = text(token).dropFirst("bearer ".count).split(separator: ".")
        try #require(parts.count == 3)
        let decoded = try parts.map { try #require(Base64.decode(Array($0.utf8))) }
        return (
            String(decoding: decoded[0], as: UTF8.self), String(decoding: decoded[1], as: UTF8.self),
            "\(parts[0]).\(parts[1])", decoded[2]
        )
    }

    /// ECDSA-Sig-Value by hand, which the command wants.
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
