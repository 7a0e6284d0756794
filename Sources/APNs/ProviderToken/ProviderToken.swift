/// How a provider token came to replace the one before.
public struct TokenVersion: Equatable, Sendable {
    /// Rises with every token.
    public internal(set) var generation: UInt64
    /// Rises when the key is another.
    public internal(set) var key: UInt32
    /// Rises when APNs said that the token before had expired.
    public internal(set) var renewal: UInt32

    /// Makes a version; the first token has zeros.
    ///
    /// - Parameters:
    ///   - generation: Rises with every token.
    ///   - key: Rises when the key is another.
    ///   - renewal: Rises when APNs said that the token before had expired.
    public init(generation: UInt64 = 0, key: UInt32 = 0, renewal: UInt32 = 0) {
        self.generation = generation
        self.key = key
        self.renewal = renewal
    }
}

/// A provider token, ready to be sent; prints as `<redacted>`.
///
/// Not changed after it is made, so that threads may share it. Whoever has lent its bytes to a connection keeps it until
/// those requests are final.
@safe
public final class ProviderToken: @unchecked Sendable {
    /// When it was issued, by its own word; seconds since 1970.
    public let issuedAtSeconds: Int64
    /// What it replaces.
    public let version: TokenVersion
    private let bytes: UnsafeMutableRawBufferPointer

    init(token: [UInt8], issuedAtSeconds: Int64, version: TokenVersion) {
        self.issuedAtSeconds = issuedAtSeconds
        self.version = version
        let text = Array("bearer ".utf8) + token
        unsafe bytes = .allocate(byteCount: text.count, alignment: 1)
        unsafe bytes.copyBytes(from: text)
    }

    deinit {
        unsafe bytes.deallocate()
    }

    /// The value of the header `authorization`, a secret; valid as long as this object.
    public var authorization: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(bytes) }
}

extension ProviderToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<redacted>`.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
