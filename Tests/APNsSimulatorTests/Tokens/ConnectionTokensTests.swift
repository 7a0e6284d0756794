import Cryptography
import Testing

@testable import APNsSimulator

struct ConnectionTokensTests {
    private static let minute: Int64 = 60_000
    private static let nowSeconds = TestRequest.wallMillis / 1000

    private let key: P256.SigningKey
    private let other: P256.SigningKey
    private let options: SimulatorOptions
    private var tokens = ConnectionTokens()

    init() throws {
        key = try P256.SigningKey()
        other = try P256.SigningKey()
        var options = SimulatorOptions()
        options.signingKeys = [
            SimulatorSigningKey(teamID: "TEAMIDENT1", keyID: "KEYIDENT01", pem: Array(try key.pem().utf8)),
            SimulatorSigningKey(teamID: "TEAMIDENT2", keyID: "KEYIDENT02", pem: Array(try other.pem().utf8)),
            SimulatorSigningKey(
                teamID: "TEAMIDENT1",
                keyID: "SANDBOXKEY",
                pem: Array(try key.pem().utf8),
                environment: .sandbox
            ),
            SimulatorSigningKey(
                teamID: "TEAMIDENT1",
                keyID: "SCOPEDKEY1",
                pem: Array(try key.pem().utf8),
                topics: ["com.example.app"]
            ),
        ]
        self.options = options
    }

    private func token(
        _ keyID: String = "KEYIDENT01",
        team: String = "TEAMIDENT1",
        ageSeconds: Int64 = 60
    ) throws -> String {
        try TestToken(keyID: keyID, teamID: team, iat: Self.nowSeconds - ageSeconds)
            .signed(by: team == "TEAMIDENT2" ? other : key)
    }

    private mutating func send(
        _ token: String,
        scheme: String = "bearer",
        at nowMillis: Int64 = 0,
        _ change: (inout SimulatorOptions) -> Void = { _ in }
    ) throws -> Rejection? {
        var options = options
        change(&options)
        let request = TestRequest(token: "").with("authorization", "\(scheme) \(token)")
        switch request.verdict(try RequestJudge(options), &tokens, nowMillis: nowMillis) {
        case .accepted: return nil
        case .rejected(let rejection, _): return rejection
        }
    }

    @Test mutating func `trusts a connection from its first good token on`() throws {
        #expect(!tokens.isTrusted)
        #expect(try send("junk") == .invalidProviderToken)
        #expect(!tokens.isTrusted)
        #expect(try send(token()) == nil)
        #expect(tokens.isTrusted)
        #expect(tokens.token?.keyID == "KEYIDENT01")
    }

    @Test(arguments: ["bearer", "Bearer", "BEARER", "bearer "])
    mutating func `reads the scheme in any case`(scheme: String) throws {
        #expect(try send(token(), scheme: scheme) == nil)
    }

    @Test mutating func `refuses an unknown key, a forged signature and another team`() throws {
        let unlimited: (inout SimulatorOptions) -> Void = { $0.tokenUpdateSeconds = 0 }
        #expect(try send(token("KEYIDENT09"), unlimited) == .invalidProviderToken)
        let forged = try TestToken(iat: Self.nowSeconds).signed(by: other)
        #expect(try send(forged, unlimited) == .invalidProviderToken)
        #expect(try send(token(), unlimited) == nil)
        #expect(try send(token("KEYIDENT02", team: "TEAMIDENT2"), unlimited) == .invalidProviderToken)
    }

    @Test mutating func `takes every well-formed token where no key is given`() throws {
        let forged = try TestToken(keyID: "ANYTHING", teamID: "ANYBODY", iat: Self.nowSeconds).signed(by: other)
        #expect(try send(forged) { $0.signingKeys = [] } == nil)
    }

    @Test(
        arguments: [
            (3600, nil), (3601, .expiredProviderToken), (-3600, nil), (-3601, .invalidProviderToken),
        ] as [(Int64, Rejection?)]
    )
    mutating func `bounds the age of a token to an hour`(ageSeconds: Int64, expected: Rejection?) throws {
        #expect(try send(token(ageSeconds: ageSeconds)) == expected)
    }

    @Test mutating func `stays expired on the same connection`() throws {
        #expect(try send(token(ageSeconds: 3590)) == nil)
        let old = try token(ageSeconds: 3590)
        #expect(try send(old, at: 2 * Self.minute) == .tooManyProviderTokenUpdates)
        tokens = ConnectionTokens()
        #expect(try send(old) == nil)
        #expect(try send(old, at: 2 * Self.minute) == .expiredProviderToken)
        #expect(try send(token(), at: 30 * Self.minute) == .expiredProviderToken)
    }

    @Test mutating func `refuses a second token within 20 minutes, before it looks at the signature`() throws {
        let first = try token()
        #expect(try send(first) == nil)
        #expect(try send(first, at: 19 * Self.minute) == nil)
        let forged = try TestToken(iat: Self.nowSeconds).signed(by: other)
        #expect(try send(forged, at: 19 * Self.minute) == .tooManyProviderTokenUpdates)
        #expect(tokens.token?.issuedAtSeconds == Self.nowSeconds)
    }

    @Test mutating func `is of no use after too many updates until 20 minutes are over`() throws {
        let first = try token()
        let second = try token(ageSeconds: 30)
        #expect(try send(first) == nil)
        #expect(try send(second, at: Self.minute) == .tooManyProviderTokenUpdates)
        #expect(try send(first, at: 2 * Self.minute) == .tooManyProviderTokenUpdates)
        #expect(try send(first, at: 20 * Self.minute - 1) == .tooManyProviderTokenUpdates)
        #expect(try send(second, at: 20 * Self.minute) == nil)
    }

    @Test mutating func `takes a new token after 20 minutes`() throws {
        #expect(try send(token()) == nil)
        #expect(try send(token(ageSeconds: 30), at: 20 * Self.minute) == nil)
    }

    @Test mutating func `refuses a key of the other environment under either spelling`() throws {
        #expect(try send(token("SANDBOXKEY")) == .badEnvironmentKeyInToken)
        #expect(try send(token("SANDBOXKEY")) { $0.usesDocumentedKeyReason = true } == .tooManyProviderTokenUpdates)
        tokens = ConnectionTokens()
        #expect(try send(token("SANDBOXKEY")) { $0.usesDocumentedKeyReason = true } == .badEnvironmentKeyIDInToken)
        tokens = ConnectionTokens()
        #expect(try send(token("SANDBOXKEY")) { $0.environment = .sandbox } == nil)
    }

    @Test mutating func `holds a connection to the kind of its first key`() throws {
        #expect(try send(token()) == nil)
        #expect(try send(token("SCOPEDKEY1"), at: 20 * Self.minute) == .unrelatedKeyIDInToken)
    }

    @Test mutating func `allows a scoped key its topics only`() throws {
        #expect(try send(token("SCOPEDKEY1")) == nil)
        tokens = ConnectionTokens()
        #expect(try send(token("SCOPEDKEY1")) { $0.signingKeys[3].topics = ["com.example.other"] } == .topicDisallowed)
    }

    @Test mutating func `forgets old tokens of a connection that brings ever new ones`() throws {
        for index in 0..<50 {
            #expect(try send("junk\(index)") == .invalidProviderToken)
        }
        #expect(try send(token()) == nil)
    }
}
