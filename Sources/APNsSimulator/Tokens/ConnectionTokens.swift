/// What one connection has shown of provider tokens, and what follows for its next request.
///
/// Every distinct token is read and verified once; the same bytes again cost a comparison. Time is a parameter.
struct ConnectionTokens {
    /// A token that came over the connection.
    struct Seen {
        let bytes: [UInt8]
        /// Nil where it cannot be read.
        let token: WebToken?
        /// The key that it is signed with; nil where none is needed or none fits.
        let keyIndex: Int?
        let isSigned: Bool
    }

    /// What a connection is stuck with.
    private enum Wedge {
        case none
        /// An expired token came: no token is good any more.
        case expired
        /// Tokens changed too often: none is good until then.
        case tooManyUpdates(untilMillis: Int64)
    }

    private static let seenMax = 8
    private static let secondsMax: Int64 = 3600

    private var seen: [Seen] = []
    private var current = -1
    private var refused: WebToken?
    private var lastNewMillis: Int64?
    private var wedge = Wedge.none
    private var boundTeam: String?
    private var boundKey: Int?

    /// Whether a good token has come, which lifts the limit of streams.
    private(set) var isTrusted = false

    /// The token of the last request, also of one that came too early; nil where it had none that can be read.
    var token: WebToken? { current >= 0 ? seen[current].token : refused }

    /// The key of the last request's token.
    var keyIndex: Int? { current >= 0 ? seen[current].keyIndex : nil }

    /// Judges the token of a request.
    ///
    /// - Parameters:
    ///   - authorization: The value of the header, `bearer` and the token; empty where there is none.
    ///   - rules: What is good.
    ///   - nowMillis: Monotonic time.
    ///   - wallMillis: Time since 1970.
    /// - Returns: Nil for a good token.
    mutating func rejection(
        of authorization: Span<UInt8>,
        _ rules: TokenRules,
        nowMillis: Int64,
        wallMillis: Int64
    ) -> Rejection? {
        guard let bearer = Self.bearer(authorization) else {
            current = -1
            refused = nil
            return .missingProviderToken
        }
        if let structural = select(authorization.extracting(bearer), rules, nowMillis: nowMillis) { return structural }
        let entry = seen[current]
        guard let token = entry.token, entry.isSigned else { return .invalidProviderToken }
        let ageSeconds = wallMillis / 1000 - token.issuedAtSeconds
        if ageSeconds > Self.secondsMax {
            wedge = .expired
            return .expiredProviderToken
        }
        if ageSeconds < -Self.secondsMax { return .invalidProviderToken }
        return binding(of: token, entry.keyIndex, rules)
    }

    /// Finds the token among those seen, or reads it.
    private mutating func select(_ bytes: Span<UInt8>, _ rules: TokenRules, nowMillis: Int64) -> Rejection? {
        if current < 0 || !bytes.equals(seen[current].bytes) {
            if let index = seen.firstIndex(where: { bytes.equals($0.bytes) }) {
                current = index
            } else if let refusal = read(bytes.array, rules, nowMillis: nowMillis) {
                return refusal
            }
        }
        guard seen[current].token != nil else { return .invalidProviderToken }
        switch wedge {
        case .none: return nil
        case .expired: return .expiredProviderToken
        case .tooManyUpdates(let until):
            if nowMillis < until { return .tooManyProviderTokenUpdates }
            wedge = .none
            return nil
        }
    }

    private mutating func read(_ bytes: [UInt8], _ rules: TokenRules, nowMillis: Int64) -> Rejection? {
        let token = WebToken(bytes)
        var entry = Seen(bytes: bytes, token: token, keyIndex: nil, isSigned: false)
        if let token {
            if case .expired = wedge {
                refuse(token)
                return .expiredProviderToken
            }
            if let last = lastNewMillis, nowMillis - last < rules.updateMillis {
                // Before the signature is looked at, and the connection is of no use until the time is over.
                wedge = .tooManyUpdates(untilMillis: last + rules.updateMillis)
                refuse(token)
                return .tooManyProviderTokenUpdates
            }
            lastNewMillis = nowMillis
            let index = rules.keys.index(verifying: token)
            entry = Seen(
                bytes: bytes,
                token: token,
                keyIndex: index,
                isSigned: index != nil || rules.keys.acceptAll
            )
        }
        if seen.count == Self.seenMax { seen.removeFirst() }
        seen.append(entry)
        current = seen.count - 1
        return nil
    }

    private mutating func refuse(_ token: WebToken) {
        current = -1
        refused = token
    }

    /// Holds the connection to the team and the kind of key that its first push had.
    private mutating func binding(of token: WebToken, _ keyIndex: Int?, _ rules: TokenRules) -> Rejection? {
        if let keyIndex {
            let key = rules.keys.keys[keyIndex]
            if let environment = key.environment, environment != rules.environment {
                return rules.usesDocumentedKeyReason ? .badEnvironmentKeyIDInToken : .badEnvironmentKeyInToken
            }
        }
        if let boundTeam {
            if boundTeam != token.teamID { return .invalidProviderToken }
        } else {
            boundTeam = token.teamID
            boundKey = keyIndex
        }
        if let boundKey, let keyIndex, boundKey != keyIndex {
            let isScoped = !rules.keys.keys[boundKey].topics.isEmpty || !rules.keys.keys[keyIndex].topics.isEmpty
            if isScoped { return .unrelatedKeyIDInToken }
        }
        isTrusted = true
        return nil
    }

    /// The place of the token behind the scheme, which is read in any case.
    private static func bearer(_ authorization: Span<UInt8>) -> Range<Int>? {
        let scheme: StaticString = "bearer "
        guard authorization.count > scheme.utf8CodeUnitCount else { return nil }
        let isBearer = scheme.withUTF8Buffer { bytes in
            for index in 0..<bytes.count where unsafe authorization[index] | 0x20 != bytes[index] { return false }
            return true
        }
        guard isBearer else { return nil }
        var start = scheme.utf8CodeUnitCount
        while start < authorization.count, authorization[start] == UInt8(ascii: " ") { start += 1 }
        return start < authorization.count ? start..<authorization.count : nil
    }
}

/// What makes a token good, for all connections.
struct TokenRules {
    let keys: SigningKeys
    let environment: SimulatedEnvironment
    let updateMillis: Int64
    let usesDocumentedKeyReason: Bool
}
