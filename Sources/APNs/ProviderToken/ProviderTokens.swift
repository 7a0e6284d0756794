internal import Synchronization

/// All provider tokens of the process: one source for each team and key, whoever asks.
public final class ProviderTokens: Sendable {
    private let sources = Mutex<[ProviderIdentity: ProviderTokenSource]>([:])

    /// Makes an empty collection.
    public init() {}

    /// The source of a key, made at the first call.
    ///
    /// - Parameters:
    ///   - identity: Team and key.
    ///   - path: The key file.
    ///   - wallMillis: Milliseconds since 1970.
    ///   - nowMillis: The monotonic clock.
    /// - Returns: The source.
    /// - Throws: What is wrong with the names or the file, and if the key was read from another file before.
    public func source(
        _ identity: ProviderIdentity,
        path: String,
        wallMillis: Int64,
        nowMillis: Int64
    ) throws(ProviderTokenError) -> ProviderTokenSource {
        try sources.withLock {
            (sources: inout sending [ProviderIdentity: ProviderTokenSource]) throws(ProviderTokenError) in
            if let known = sources[identity] {
                guard known.path == path else { throw .otherFile(identity, path: path, known: known.path) }
                return known
            }
            let source = try ProviderTokenSource(
                identity: identity,
                path: path,
                wallMillis: wallMillis,
                nowMillis: nowMillis
            )
            sources[identity] = source
            return source
        }
    }

    /// All sources, in no order.
    public var all: [ProviderTokenSource] { sources.withLock { Array($0.values) } }
}
