/// Why APNs refused a push, or closed a connection.
///
/// Making one of a known reason allocates nothing.
public enum Reason: Hashable, Sendable {
    /// One that this program knows.
    case known(KnownReason)
    /// Any other, as it came, at most ``unknownBytesMax`` bytes of it.
    case unknown(String)

    /// The longest unknown reason that is kept whole.
    public static let unknownBytesMax = 128

    /// Reads a reason.
    ///
    /// - Parameter bytes: The value of the member `reason`, as it came.
    public init(_ bytes: UnsafeRawBufferPointer) {
        if let reason = unsafe KnownReason(bytes) {
            self = .known(reason)
        } else {
            self = unsafe .unknown(String(decoding: bytes.prefix(Self.unknownBytesMax), as: UTF8.self))
        }
    }

    /// The reason, if this program knows it.
    public var known: KnownReason? {
        if case .known(let reason) = self { reason } else { nil }
    }
}

extension Reason: CustomStringConvertible {
    /// Apple's own spelling.
    public var description: String {
        switch self {
        case .known(let reason): "\(reason.name)"
        case .unknown(let text): text
        }
    }
}
