import Glibc

/// Finds values in JSON that is known to the byte: decoding half a million objects takes minutes in a debug build.
public struct TextScan {
    private var rest: UnsafePointer<CChar>

    /// Scans bytes from their beginning.
    public static func over<Value>(_ bytes: [UInt8], _ body: (inout TextScan) -> Value) -> Value {
        (bytes + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                // There is at least the end.
                var scan = TextScan(rest: text.baseAddress.unsafelyUnwrapped)
                return body(&scan)
            }
        }
    }

    /// Goes behind the next place where a text stands.
    ///
    /// - Returns: False when there is none; then nothing moves.
    public mutating func skip(past mark: String) -> Bool {
        guard let found = strstr(rest, mark) else { return false }
        rest = UnsafePointer(found + mark.utf8.count)
        return true
    }

    /// The number behind a text.
    public mutating func number(after mark: String) -> Int? { skip(past: mark) ? strtol(rest, nil, 10) : nil }

    /// What stands between a text and the next quotation mark.
    public mutating func text(after mark: String) -> String {
        guard skip(past: mark), let end = strchr(rest, Int32(UInt8(ascii: "\""))) else { return "" }
        return String(
            decoding: UnsafeRawBufferPointer(start: rest, count: UnsafePointer(end) - rest),
            as: UTF8.self
        )
    }
}
