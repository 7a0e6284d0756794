/// What the body of an error, or the debug data of a GOAWAY, says: `{"reason":"…","timestamp":1700000000000}`.
///
/// Reads what it can and never fails: bodies come empty, cut short, as plain text, and as a proxy's HTML.
public struct ErrorBody: Equatable, Sendable {
    /// Where the value of `reason` begins; its bytes are as they came, escapes included.
    public private(set) var reasonStart = 0
    /// How many bytes it has; 0 where there is none.
    public private(set) var reasonCount = 0
    /// When APNs knew the device token to be gone, in milliseconds since 1970; nil where it is absent or no integer.
    public private(set) var timestampMillis: Int64?

    /// Reads a body, without allocating.
    ///
    /// - Parameter bytes: The whole body.
    public init(_ bytes: UnsafeRawBufferPointer) {
        var scanner = unsafe MemberScanner(bytes: RawSpan(_unsafeBytes: bytes))
        guard scanner.enterObject() else { return }
        while let name = scanner.nextName() {
            let value = scanner.nextValue()
            if scanner.matches(name, "reason"), case .text(let start, let count) = value {
                reasonStart = start
                reasonCount = count
            } else if scanner.matches(name, "timestamp"), case .integer(let number) = value {
                timestampMillis = number
            }
        }
    }

    /// The reason among the bytes that were read.
    ///
    /// - Parameter bytes: The same body.
    /// - Returns: The reason, or nil where there is none.
    public func reason(in bytes: UnsafeRawBufferPointer) -> Reason? {
        guard reasonCount > 0, reasonStart + reasonCount <= bytes.count else { return nil }
        return unsafe Reason(UnsafeRawBufferPointer(rebasing: bytes[reasonStart..<reasonStart + reasonCount]))
    }
}
