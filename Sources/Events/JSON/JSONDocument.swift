internal import CSimdjson

/// Why a document was refused; where in it is found out afterwards, on the cold path.
public enum JSONError: Error, Equatable, Sendable {
    /// No bytes, or only white space.
    case empty

    /// More bytes than the parser takes.
    case tooLong

    /// More levels of nesting than the parser takes.
    case tooDeep

    /// Not UTF-8.
    case notUTF8

    /// A number out of range, or no number.
    case badNumber

    /// A string that is malformed.
    case badString

    /// Any other fault of syntax.
    case malformed

    /// The process is out of memory; says nothing about the document.
    case outOfMemory
}

/// Owner of a simdjson parser and of the document that it parsed last.
///
/// Confined to one thread. Values lent by ``root`` are valid until the next ``parse(_:)``. Refuses what is not UTF-8,
/// a byte-order mark and numbers out of range.
@safe
struct JSONDocument: ~Copyable {
    /// The longest document, as long as the longest record.
    static let bytesMax = 16 << 20

    /// The deepest nesting.
    static let depthMax = 64

    private let parser: OpaquePointer?
    private var document = unsafe csimdjson_document(tape: nil, strings: nil)

    init() { unsafe parser = csimdjson_parser_new(Self.bytesMax, Self.depthMax) }

    deinit { unsafe csimdjson_parser_free(parser) }

    /// Parses a document; the bytes need not outlive the call.
    ///
    /// - Parameter bytes: The whole document.
    /// - Returns: Its root, valid until the next call.
    /// - Throws: Why it was refused.
    mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
        guard let parser = unsafe parser else { throw .outOfMemory }
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let status = unsafe csimdjson_parse(parser, start, bytes.count, &document)
        guard status == csimdjson_ok, let tape = unsafe document.tape, let strings = unsafe document.strings else {
            throw Self.error(of: status)
        }
        return unsafe JSONValue(tape: tape, strings: UnsafeRawPointer(strings), index: 1)
    }

    private static func error(of status: csimdjson_status) -> JSONError {
        switch status {
        case csimdjson_empty: .empty
        case csimdjson_too_long: .tooLong
        case csimdjson_too_deep: .tooDeep
        case csimdjson_not_utf8: .notUTF8
        case csimdjson_bad_number: .badNumber
        case csimdjson_bad_string: .badString
        case csimdjson_no_memory: .outOfMemory
        default: .malformed
        }
    }
}
