/// A text that is never printed.
public struct Secret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The text itself.
    public let value: String

    /// Guards a text.
    public init(_ value: String) {
        self.value = value
    }

    /// `<redacted>`.
    public var description: String { "<redacted>" }

    /// Shows the description only.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
