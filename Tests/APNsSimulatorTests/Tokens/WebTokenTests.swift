import Cryptography
import Testing

@testable import APNsSimulator

struct WebTokenTests {
    private let key: P256.SigningKey
    private let keys: SigningKeys

    init() throws {
        key = try P256.SigningKey()
        let pem = Array(try key.verifyingKey.pem().utf8)
        keys = try SigningKeys([SimulatorSigningKey(teamID: "TEAMIDENT1", keyID: "KEYIDENT01", pem: pem)])
    }

    private func read(_ token: TestToken) throws -> WebToken? {
        WebToken(Array(try token.signed(by: key).utf8))
    }

    @Test(
        arguments: [TestToken.Signature.raw, .der],
        [(Base64.Alphabet.url, false), (.url, true), (.standard, true)]
    )
    func `reads both signatures in every encoding`(
        signature: TestToken.Signature,
        encoding: (alphabet: Base64.Alphabet, isPadded: Bool)
    ) throws {
        var token = TestToken(iat: 1_800_000_000)
        token.signature = signature
        token.alphabet = encoding.alphabet
        token.isPadded = encoding.isPadded
        let found = try #require(try read(token))
        #expect(found.keyID == "KEYIDENT01")
        #expect(found.teamID == "TEAMIDENT1")
        #expect(found.issuedAtSeconds == 1_800_000_000)
        #expect(keys.index(verifying: found) == 0)
    }

    @Test func `reads a time that is written as text`() throws {
        var token = TestToken(iat: 0)
        token.claims = #"{"iss":"TEAMIDENT1","iat":"1800000000"}"#
        #expect(try read(token)?.issuedAtSeconds == 1_800_000_000)
    }

    @Test func `passes over members that it does not know`() throws {
        var token = TestToken(iat: 0)
        token.header = #"{"typ":"JWT","alg":"ES256","kid":"KEYIDENT01"}"#
        token.claims = #"{"iss":"TEAMIDENT1","iat":1800000000,"kid":"KEYIDENT01","sub":"com.example.app"}"#
        let found = try #require(try read(token))
        #expect(keys.index(verifying: found) == 0)
    }

    @Test(
        arguments: [
            #"{"alg":"HS256","kid":"K"}"#, #"{"alg":"ES256"}"#, #"{"kid":"K"}"#, #"{"alg":"ES256","kid":""}"#,
            #"{"alg":"ES256","kid":1}"#, "[]", "", "{",
        ]
    )
    func `refuses a header without algorithm and key`(header: String) throws {
        var token = TestToken(iat: 1)
        token.header = header
        #expect(try read(token) == nil)
    }

    @Test(
        arguments: [
            #"{"iss":"T"}"#, #"{"iat":1}"#, #"{"iss":"","iat":1}"#, #"{"iss":"T","iat":1.5}"#,
            #"{"iss":"T","iat":"now"}"#, #"{"iss":"T","iat":null}"#, #"{"iss":"T","iat":1e400}"#, "null",
        ]
    )
    func `refuses claims without issuer and time`(claims: String) throws {
        var token = TestToken(iat: 1)
        token.claims = claims
        #expect(try read(token) == nil)
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "a.b", "a.b.c.d", "\u{e9}.\u{e9}.\u{e9}"])
    func `refuses what is no token`(text: String) {
        #expect(WebToken(Array(text.utf8)) == nil)
    }

    @Test(arguments: [0, 1, 63, 65, 70])
    func `refuses a signature of another form`(count: Int) throws {
        let parts = try TestToken(iat: 1).signed(by: key).split(separator: ".")
        let signature = Base64.encode(.init(repeating: 7, count: count), alphabet: .url)
        let text = "\(parts[0]).\(parts[1]).\(String(decoding: signature, as: UTF8.self))"
        #expect(WebToken(Array(text.utf8)) == nil)
    }

    @Test func `finds no key for another signature, key or team`() throws {
        let other = try P256.SigningKey()
        let forged = try #require(WebToken(Array(try TestToken(iat: 1).signed(by: other).utf8)))
        #expect(keys.index(verifying: forged) == nil)
        let otherKey = try #require(try read(TestToken(keyID: "KEYIDENT02", iat: 1)))
        #expect(keys.index(verifying: otherKey) == nil)
        let otherTeam = try #require(try read(TestToken(teamID: "TEAMIDENT2", iat: 1)))
        #expect(keys.index(verifying: otherTeam) == nil)
    }

    @Test func `names a signing key that is none`() {
        #expect {
            try SigningKeys([SimulatorSigningKey(teamID: "T", keyID: "K", pem: Array("nothing".utf8))])
        } throws: { "\($0)".hasPrefix("signing key T:K: ") }
    }
}
