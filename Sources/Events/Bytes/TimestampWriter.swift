internal import EventLoop

/// Writes RFC 3339 times, and remembers the last second: the times of a batch lie close together.
public struct TimestampWriter {
    private var second: Int64 = .min
    private var text = InlineArray<24, UInt8>(repeating: 0)

    /// Makes a writer that remembers nothing.
    public init() {}

    /// Appends `2026-12-01T09:30:00.000Z`.
    ///
    /// - Parameters:
    ///   - millis: Milliseconds since 1970; clamped to the years 0 to 9999.
    ///   - buffer: Where to.
    public mutating func append(millis: Int64, to buffer: inout ByteBuffer) {
        let time = min(max(millis, -62_167_219_200_000), 253_402_300_799_999)
        let rest = time % 1_000
        let floor = rest < 0 ? time - rest - 1_000 : time - rest
        if floor != second {
            var span = text.mutableSpan
            Timestamp.write(millis: floor, into: &span)
            second = floor
        }
        let part = UInt32(truncatingIfNeeded: time &- floor)
        text[20] = UInt8(truncatingIfNeeded: part / 100) &+ 0x30
        text[21] = UInt8(truncatingIfNeeded: part / 10 % 10) &+ 0x30
        text[22] = UInt8(truncatingIfNeeded: part % 10) &+ 0x30
        buffer.append(text, 0..<24)
    }
}
