extension ByteBuffer {
    /// Appends one line of the header `push`.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: Its value, checked before: no control characters.
    @inline(__always)
    public mutating func append(_ field: PushField, _ value: UnsafeRawBufferPointer) {
        append(field.name)
        append(": ")
        unsafe append(value)
        append(UInt8(ascii: "\n"))
    }

    /// Appends one line of the header `push` with constant text.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: Its value.
    @inline(__always)
    public mutating func append(_ field: PushField, _ value: StaticString) {
        append(field.name)
        append(": ")
        append(value)
        append(UInt8(ascii: "\n"))
    }

    /// Appends one line of the header `push` with a number.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - number: Its value.
    @inline(__always)
    public mutating func append(_ field: PushField, decimal number: Int64) {
        append(field.name)
        append(": ")
        append(decimal: number)
        append(UInt8(ascii: "\n"))
    }
}
