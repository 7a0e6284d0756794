/// One thing that is wrong with an event.
public struct EventFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Its kind.
    public let code: FaultCode

    /// Where: a JSON path such as `$.data.audience.devices[3].deviceId`, or the name of a Kafka header.
    public let path: String

    /// What stands there, in short; never a device token.
    public let found: String

    /// What should.
    public let expected: String

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - code: Its kind.
    ///   - path: Where.
    ///   - found: What stands there.
    ///   - expected: What should.
    public init(code: FaultCode, path: String, found: String, expected: String) {
        self.code = code
        self.path = path
        self.found = found
        self.expected = expected
    }

    /// The fault as a sentence.
    public var description: String { "\(path): found \(found), expected \(expected)" }
}
