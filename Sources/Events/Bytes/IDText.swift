/// Ids and other texts that must stand in headers and keys.
enum IDText {
    /// The most bytes of an id.
    static let bytesMax = 128

    /// Whether a text is an id: 1-128 bytes of UTF-8 without control characters.
    @inline(__always)
    static func isValid(_ text: UnsafeRawBufferPointer?) -> Bool { unsafe isLine(text, bytesMax: bytesMax) }

    /// Whether a text has from 1 to some bytes, all UTF-8 without control characters.
    @inline(__always)
    static func isLine(_ text: UnsafeRawBufferPointer?, bytesMax: Int) -> Bool {
        guard let text = unsafe text, text.count >= 1 && text.count <= bytesMax else { return false }
        return unsafe UTF8Text.isPlain(text)
    }

    /// Whether a text is a URL with a scheme (RFC 3986, section 3.1), of at most 512 bytes.
    static func isLink(_ text: UnsafeRawBufferPointer?) -> Bool {
        guard let text = unsafe text, unsafe isLine(text, bytesMax: 512) else { return false }
        for index in 0..<text.count {
            let byte = unsafe text[index]
            switch byte {
            case UInt8(ascii: ":"): return index > 0 && index + 1 < text.count
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if index == 0 { return false }
            default: return false
            }
        }
        return false
    }
}
