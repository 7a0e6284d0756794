internal import Glibc

/// Text that is written, sent and written again without giving its memory back.
@safe
struct TextBuffer: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<UInt8>

    init(capacity: Int) {
        self.capacity = max(256, capacity)
        unsafe self.start = .allocate(capacity: self.capacity)
    }

    deinit { unsafe start.deallocate() }

    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span(_unsafeStart: UnsafePointer(start), count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    mutating func removeAll() { count = 0 }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe start[count] = byte
        count &+= 1
    }

    mutating func append(_ text: StaticString) {
        unsafe append(unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append($0) }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        unsafe memcpy(start + count, source, bytes.count)
        count &+= bytes.count
    }

    mutating func append(decimal value: Int64) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var rest = value.magnitude
        var first = 20
        repeat {
            first -= 1
            digits[first] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        } while rest > 0
        if value < 0 { append(UInt8(ascii: "-")) }
        for index in first..<20 { append(digits[index]) }
    }

    private mutating func reserve(_ more: Int) {
        guard count &+ more > capacity else { return }
        let larger = max(capacity * 2, count + more)
        let moved: UnsafeMutablePointer<UInt8> = .allocate(capacity: larger)
        unsafe memcpy(moved, start, count)
        unsafe start.deallocate()
        unsafe start = moved
        capacity = larger
    }
}

extension TextBuffer {
    /// Appends bytes as a JSON string with its quotes; what is not UTF-8 becomes U+FFFD.
    mutating func append(quoted bytes: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        var plainStart = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let width: Int
            if byte < 0x80 {
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F else {
                    index += 1
                    continue
                }
                width = 1
            } else {
                let valid = Self.scalarWidth(bytes, at: index)
                if valid > 0 {
                    index += valid
                    continue
                }
                width = 1
            }
            append(bytes.extracting(plainStart..<index))
            append(escaped: byte)
            index += width
            plainStart = index
        }
        append(bytes.extracting(plainStart..<bytes.count))
        append(UInt8(ascii: "\""))
    }

    /// Appends text as a JSON string with its quotes.
    mutating func append(quoted text: String) {
        let bytes = Array(text.utf8)
        append(quoted: bytes.span)
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0x80...: append("\u{FFFD}")
        default:
            append("\\u00")
            append(Self.hexadecimal(byte >> 4))
            append(Self.hexadecimal(byte & 15))
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? digit &+ 0x30 : digit &+ 0x57
    }

    /// The length of the UTF-8 sequence of two bytes or more at an index; 0 where there is none.
    private static func scalarWidth(_ bytes: Span<UInt8>, at index: Int) -> Int {
        let lead = bytes[index]
        let width = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, index + width <= bytes.count else { return 0 }
        for offset in 1..<width where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        let second = bytes[index + 1]
        switch lead {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F: return 0
        case 0xF0 where second < 0x90, 0xF4 where second > 0x8F: return 0
        default: return width
        }
    }
}
