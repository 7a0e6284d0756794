/// The W3C trace context's `traceparent`.
enum TraceParent {
    /// Checks a value; tracing is a courtesy, so a malformed one is dropped and no fault.
    ///
    /// - Parameter text: Such as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`.
    /// - Returns: The text; nil when it is malformed.
    static func checked(_ text: UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer? {
        guard let text = unsafe text, text.count == 55 else { return nil }
        for index in 0..<55 {
            let byte = unsafe text[index]
            let isDash = index == 2 || index == 35 || index == 52
            let isDigit = (byte &- 0x30) < 10 || (byte &- 0x61) < 6
            guard isDash ? byte == UInt8(ascii: "-") : isDigit else { return nil }
        }
        return unsafe text
    }
}
