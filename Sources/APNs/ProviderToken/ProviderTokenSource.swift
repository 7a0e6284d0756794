public import Cryptography
internal import Synchronization

/// The provider token of one key, for all threads of the process; prints as `<redacted>`.
///
/// The key is read from its file once, and again when told to look; a file that is wrong changes nothing.
public final class ProviderTokenSource: Sendable {
    /// What a look at the key file found.
    public enum FileCheck: Equatable, Sendable {
        /// The same key, or the same mistake as at the last look.
        case unchanged
        /// Another key, which is used from now on, on new connections.
        case replaced
        /// A file that is newly wrong; the key before stays in use.
        case failed(KeyError)
        /// A good file after a wrong one, with the key that is in use.
        case recovered
    }

    /// What follows from `ExpiredProviderToken`.
    public enum Renewal: Sendable {
        /// This token was issued now.
        case renewed(ProviderToken)
        /// Another thread had it renewed already, to this one.
        case alreadyRenewed(ProviderToken)
        /// None is issued before this time of the monotonic clock: most likely the clock of this machine is wrong.
        case tooSoon(untilMillis: Int64)
    }

    private struct State {
        var key: P256.SigningKey
        var clock: TokenClock
        var token: ProviderToken
        var fileError: KeyError?
        var signingError: OpenSSLError?
    }

    /// Team and key.
    public let identity: ProviderIdentity
    /// The path of the key file.
    public let path: String
    private let state: Mutex<State>
    /// The generation of the token in use.
    ///
    /// Written with the state locked; read without, where a late look is harmless.
    private let latest: Atomic<UInt64>

    /// Reads the key and issues the first token.
    ///
    /// - Parameters:
    ///   - identity: Team and key.
    ///   - path: The key file, a `.p8` as Apple issues it.
    ///   - wallMillis: Milliseconds since 1970.
    ///   - nowMillis: The monotonic clock.
    /// - Throws: What is wrong with the names or the file.
    public init(
        identity: ProviderIdentity,
        path: String,
        wallMillis: Int64,
        nowMillis: Int64
    ) throws(ProviderTokenError) {
        for name in [identity.teamID, identity.keyID] where !ProviderIdentity.isValid(name) {
            throw .invalidName(name)
        }
        let key: P256.SigningKey
        do { key = try P256.SigningKey(path: path) } catch { throw .key(path: path, error) }
        var clock = TokenClock()
        let issuedAt = clock.tick(wallMillis: wallMillis, nowMillis: nowMillis)
        let token: ProviderToken
        do {
            token = try Self.issue(identity, key, at: issuedAt ?? wallMillis / 1_000, version: TokenVersion())
        } catch {
            throw .signing(error)
        }
        self.identity = identity
        self.path = path
        self.state = Mutex(State(key: key, clock: clock, token: token))
        self.latest = Atomic(token.version.generation)
    }

    /// The generation of the token in use, for a cheap look whether to ask for it.
    public var generation: UInt64 { latest.load(ordering: .relaxed) }

    /// When the token in use was issued, by its own word; seconds since 1970.
    public var issuedAtSeconds: Int64 { state.withLock { $0.token.issuedAtSeconds } }

    /// What is wrong with the key file since the last look; nil where nothing is.
    public var fileError: KeyError? { state.withLock { $0.fileError } }

    /// Why the last token could not be signed; nil where it could.
    public var signingError: OpenSSLError? { state.withLock { $0.signingError } }

    /// The token to send, issued anew where it is time; to be asked for about once a second.
    ///
    /// - Parameters:
    ///   - wallMillis: Milliseconds since 1970.
    ///   - nowMillis: The monotonic clock.
    /// - Returns: The token in use.
    public func current(wallMillis: Int64, nowMillis: Int64) -> ProviderToken {
        state.withLock { state in
            var clock = state.clock
            guard let issuedAt = clock.tick(wallMillis: wallMillis, nowMillis: nowMillis) else { return state.token }
            var version = state.token.version
            version.generation += 1
            replace(&state, key: state.key, clock: clock, at: issuedAt, version: version)
            return state.token
        }
    }

    /// Answers `ExpiredProviderToken`.
    ///
    /// - Parameters:
    ///   - generation: The generation of the token that was refused.
    ///   - wallMillis: Milliseconds since 1970.
    ///   - nowMillis: The monotonic clock.
    /// - Returns: The token to go on with, or how long there is none.
    public func expired(generation: UInt64, wallMillis: Int64, nowMillis: Int64) -> Renewal {
        state.withLock { state in
            guard state.token.version.generation == generation else { return .alreadyRenewed(state.token) }
            var clock = state.clock
            guard let issuedAt = clock.expired(wallMillis: wallMillis, nowMillis: nowMillis) else {
                return .tooSoon(untilMillis: clock.nextUpdateMillis(nowMillis: nowMillis))
            }
            var version = state.token.version
            version.generation += 1
            version.renewal += 1
            let isSigned = replace(&state, key: state.key, clock: clock, at: issuedAt, version: version)
            return isSigned ? .renewed(state.token) : .tooSoon(untilMillis: nowMillis)
        }
    }

    /// Answers `TooManyProviderTokenUpdates`: the token in use stays for 20 minutes.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    public func updatesRefused(nowMillis: Int64) {
        state.withLock { $0.clock.updatesRefused(nowMillis: nowMillis) }
    }

    /// Looks at the key file; to be called every few seconds by one thread that may wait for a disk.
    ///
    /// The file is read whole: it has 250 bytes, and neither its size nor a time stamp tells two keys apart for sure.
    ///
    /// - Parameters:
    ///   - wallMillis: Milliseconds since 1970.
    ///   - nowMillis: The monotonic clock.
    /// - Returns: What has changed since the last look.
    public func checkFile(wallMillis: Int64, nowMillis: Int64) -> FileCheck {
        let found: Result<P256.SigningKey, KeyError>
        do { found = .success(try P256.SigningKey(path: path)) } catch { found = .failure(error) }
        return state.withLock { state in
            switch found {
            case .failure(let error):
                let isNew = state.fileError != error
                state.fileError = error
                return isNew ? .failed(error) : .unchanged
            case .success(let key) where key.verifyingKey == state.key.verifyingKey:
                let hadError = state.fileError != nil
                state.fileError = nil
                return hadError ? .recovered : .unchanged
            case .success(let key):
                // A new key has a history of its own.
                var clock = TokenClock()
                let issuedAt = clock.tick(wallMillis: wallMillis, nowMillis: nowMillis)
                var version = state.token.version
                version.generation += 1
                version.key += 1
                let isSigned = replace(
                    &state,
                    key: key,
                    clock: clock,
                    at: issuedAt ?? wallMillis / 1_000,
                    version: version
                )
                guard isSigned else { return .unchanged }
                state.fileError = nil
                return .replaced
            }
        }
    }

    /// Issues a token and takes it into use; where signing fails all stays as it was.
    @discardableResult
    private func replace(
        _ state: inout State,
        key: P256.SigningKey,
        clock: TokenClock,
        at issuedAtSeconds: Int64,
        version: TokenVersion
    ) -> Bool {
        do {
            state.token = try Self.issue(identity, key, at: issuedAtSeconds, version: version)
        } catch {
            state.signingError = error
            return false
        }
        state.key = key
        state.clock = clock
        state.signingError = nil
        latest.store(version.generation, ordering: .relaxed)
        return true
    }

    private static func issue(
        _ identity: ProviderIdentity,
        _ key: P256.SigningKey,
        at issuedAtSeconds: Int64,
        version: TokenVersion
    ) throws(OpenSSLError) -> ProviderToken {
        ProviderToken(
            token: try JSONWebToken.make(identity, issuedAtSeconds: issuedAtSeconds, key: key),
            issuedAtSeconds: issuedAtSeconds,
            version: version
        )
    }
}

extension ProviderTokenSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Team and key, and nothing secret.
    public var description: String { "\(identity) <redacted>" }
    /// Team and key, and nothing secret.
    public var debugDescription: String { description }
    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
