import APNs
import Cryptography
import Testing

@Suite struct `Provider token source` {
    private let identity = ProviderIdentity(teamID: "DEF123GHIJ", keyID: "ABC123DEFG")
    private let wall: Int64 = 1_796_115_600_000
    private let interval = TokenClock.updateIntervalMillis
    private let folder: KeyFolder
    private let source: ProviderTokenSource

    init() throws {
        folder = try KeyFolder()
        try folder.write(P256.SigningKey())
        source = try ProviderTokenSource(
            identity: identity,
            path: folder.file("key.p8"),
            wallMillis: wall,
            nowMillis: 0
        )
    }

    private func current(_ now: Int64) -> ProviderToken { source.current(wallMillis: wall + now, nowMillis: now) }

    private func check(_ now: Int64) -> ProviderTokenSource.FileCheck {
        source.checkFile(wallMillis: wall + now, nowMillis: now)
    }

    private func expired(_ token: ProviderToken, _ now: Int64) -> ProviderTokenSource.Renewal {
        source.expired(generation: token.version.generation, wallMillis: wall + now, nowMillis: now)
    }

    @Test func `gives all the same token until its time is over`() {
        let first = current(0)
        #expect(current(599_999) === first)
        let second = current(600_000)
        #expect(second !== first)
        #expect(second.version.generation == first.version.generation + 1)
        #expect(second.version.key == first.version.key)
        #expect(second.version.renewal == first.version.renewal)
        #expect(source.generation == second.version.generation)
        #expect(second.issuedAtSeconds == first.issuedAtSeconds + 1_800)
    }

    @Test func `renews an expired token once, whoever reports it`() {
        let first = current(0)
        guard case .renewed(let second) = expired(first, 1_000) else { return _ = Issue.record("not renewed") }
        #expect(second.issuedAtSeconds == (wall + 1_000) / 1_000)
        #expect(second.version.renewal == first.version.renewal + 1)
        guard case .alreadyRenewed(let third) = expired(first, 2_000) else { return _ = Issue.record("not the same") }
        #expect(third === second)
        guard case .tooSoon(let until) = expired(second, 3_000) else { return _ = Issue.record("not too soon") }
        #expect(until == 1_000 + interval)
        #expect(current(4_000) === second)
        guard case .renewed = expired(second, until) else { return _ = Issue.record("not renewed again") }
    }

    @Test func `keeps its token for 20 minutes after APNs refused an update`() {
        let first = current(0)
        source.updatesRefused(nowMillis: 0)
        #expect(current(interval - 1) === first)
        #expect(current(interval) !== first)
    }

    @Test func `takes a changed key at once`() throws {
        let first = current(0)
        #expect(check(1_000) == .unchanged)
        let key = try folder.write(P256.SigningKey())
        #expect(check(2_000) == .replaced)
        #expect(check(3_000) == .unchanged)
        let second = current(3_000)
        #expect(second.version.key == first.version.key + 1)
        #expect(second.version.generation == first.version.generation + 1)
        #expect(source.generation == second.version.generation)
        let text = String(decoding: second.authorization, as: UTF8.self).dropFirst("bearer ".count)
        let parts = text.split(separator: ".")
        let signature = try #require(Base64.decode(Array(parts[2].utf8)))
        #expect(key.verifyingKey.isValid(signature: signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test func `takes the same key in another file for no change`() throws {
        let key = try P256.SigningKey(path: folder.file("key.p8"))
        try folder.write("\n" + key.pem() + "\n\n")
        let first = current(0)
        #expect(check(1_000) == .unchanged)
        #expect(current(1_000) === first)
    }

    @Test func `keeps the old key while the file is wrong, and says so once`() throws {
        let first = current(0)
        let pem = try P256.SigningKey(path: folder.file("key.p8")).pem()
        try folder.write("")
        #expect(check(1_000) == .failed(.empty))
        #expect(source.fileError == .empty)
        #expect(check(2_000) == .unchanged)
        try folder.write(String(pem.prefix(60)))
        guard case .failed(.malformed) = check(3_000) else { return _ = Issue.record("not another mistake") }
        try folder.remove()
        #expect(check(4_000) == .failed(.unreadable(code: 2)))
        #expect(current(5_000) === first)
        try folder.write(pem)
        #expect(check(6_000) == .recovered)
        #expect(source.fileError == nil)
        #expect(current(6_000) === first)
        #expect(source.signingError == nil)
    }

    @Test func `takes a new key after a wrong file`() throws {
        try folder.write("not a key")
        #expect(check(1_000) == .failed(.notPEM))
        try folder.write(P256.SigningKey())
        #expect(check(2_000) == .replaced)
        #expect(source.fileError == nil)
    }

    @Test func `may renew again after a changed key`() throws {
        guard case .renewed = expired(current(0), 1_000) else { return _ = Issue.record("not renewed") }
        try folder.write(P256.SigningKey())
        #expect(check(2_000) == .replaced)
        guard case .renewed = expired(current(2_000), 3_000) else { return _ = Issue.record("not renewed again") }
    }

    @Test(arguments: ["", "ABC 123", "ABC\"123", "ABC-123", "日本", String(repeating: "A", count: 65)])
    func `refuses names that cannot stand in a token`(name: String) {
        for identity in [
            ProviderIdentity(teamID: name, keyID: "ABC123DEFG"), ProviderIdentity(teamID: "DEF123GHIJ", keyID: name),
        ] {
            #expect(throws: ProviderTokenError.invalidName(name)) {
                try ProviderTokenSource(
                    identity: identity,
                    path: folder.file("key.p8"),
                    wallMillis: wall,
                    nowMillis: 0
                )
            }
        }
    }

    @Test func `is the same for all who ask for the same key`() throws {
        let tokens = ProviderTokens()
        let path = folder.file("key.p8")
        let first = try tokens.source(identity, path: path, wallMillis: wall, nowMillis: 0)
        #expect(try tokens.source(identity, path: path, wallMillis: wall, nowMillis: 0) === first)
        let other = ProviderIdentity(teamID: "DEF123GHIJ", keyID: "OTHER12345")
        #expect(try tokens.source(other, path: path, wallMillis: wall, nowMillis: 0) !== first)
        #expect(tokens.all.count == 2)
    }

    @Test func `refuses a second file for one key`() throws {
        let tokens = ProviderTokens()
        try folder.write(P256.SigningKey(), as: "other.p8")
        let (path, other) = (folder.file("key.p8"), folder.file("other.p8"))
        _ = try tokens.source(identity, path: path, wallMillis: wall, nowMillis: 0)
        #expect(throws: ProviderTokenError.otherFile(identity, path: other, known: path)) {
            try tokens.source(identity, path: other, wallMillis: wall, nowMillis: 0)
        }
    }

    @Test func `says which file is wrong`() throws {
        let tokens = ProviderTokens()
        let error = #expect(throws: ProviderTokenError.self) {
            try tokens.source(identity, path: "/nonexistent/key.p8", wallMillis: wall, nowMillis: 0)
        }
        #expect(error == .key(path: "/nonexistent/key.p8", .unreadable(code: 2)))
        #expect("\(try #require(error))".hasPrefix("/nonexistent/key.p8: the key file cannot be read"))
        #expect(tokens.all.isEmpty)
    }

    @Test func `is shared by threads`() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for second in 0..<3_000 { _ = current(Int64(second) * 1_000) } }
            }
        }
        #expect(source.generation == current(3_000_000).version.generation)
    }
}
