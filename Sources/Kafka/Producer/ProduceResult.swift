/// Whether a message waits to be sent now.
///
/// Errors of a topic, a size or a partition are often known at once, and then no report follows.
public enum ProduceResult: Equatable, Sendable {
    /// It waits; its report follows.
    case queued
    /// The producer holds as much as it may; poll reports and try again.
    case queueFull
    /// It will never be sent; no report follows.
    case failed(code: Int32)
}

/// One header whose name is known when the program is built.
@safe
public struct HeaderReference {
    /// The header's name.
    public let name: StaticString
    /// Its value, copied when the message is produced.
    public let value: UnsafeRawBufferPointer

    /// Refers to a header.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value, which has to live until the message is produced.
    public init(name: StaticString, value: UnsafeRawBufferPointer) {
        self.name = name
        unsafe self.value = value
    }
}
