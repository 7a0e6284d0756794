/// One Kafka header, owned; for what is written seldom.
public struct RecordHeader: Sendable, Equatable {
    /// Its name.
    public let name: String

    /// Its value.
    public let value: [UInt8]

    /// Makes a header.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value.
    public init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }
}
