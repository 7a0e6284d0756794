/// Names one connection of a pool; never used again for another.
public struct ConnectionID: Hashable, Sendable {
    /// The same as one number, such as the ticket of an attempt to connect.
    public let rawValue: UInt64

    /// Takes a number that a pool gave out.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    init(slot: Int, serial: UInt32) {
        self.rawValue = UInt64(serial) << 8 | UInt64(truncatingIfNeeded: slot & 0xFF)
    }

    var slot: Int { Int(rawValue & 0xFF) }
    var serial: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 8) }
}
