/// Media types as headers write them: any case, parameters after a semicolon.
enum ContentType {
    /// Whether a header names a media type.
    static func names(_ header: UnsafeRawBufferPointer, _ mediaType: StaticString) -> Bool {
        // As everybody writes it.
        if unsafe header.equals(mediaType) { return true }
        let text = unsafe essence(header)
        guard text.count == mediaType.utf8CodeUnitCount else { return false }
        for index in 0..<text.count {
            if unsafe lower(text[index]) != mediaType.utf8Start[index] { return false }
        }
        return true
    }

    /// Whether a header names JSON: `application/json` or anything that ends in `+json`, except CloudEvents.
    static func isJSON(_ header: UnsafeRawBufferPointer) -> Bool {
        if unsafe names(header, "application/json") || names(header, "text/json") { return true }
        let text = unsafe essence(header)
        guard text.count > 5, unsafe names(text.part(text.count - 5, text.count), "+json") else { return false }
        return unsafe text.count < 23 || !names(text.part(0, 23), "application/cloudevents")
    }

    private static func essence(_ header: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = unsafe header.firstIndex(of: UInt8(ascii: ";"), in: 0, header.count)
        var start = 0
        while unsafe start < end && header[start] == 0x20 { start += 1 }
        while unsafe end > start && header[end - 1] == 0x20 { end -= 1 }
        return unsafe header.part(start, end)
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (byte &- 0x41) < 26 ? byte | 0x20 : byte }
}
