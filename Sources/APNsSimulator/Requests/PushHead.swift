internal import Glibc
internal import HTTP2

/// Where the fields that APNs knows stand in a request.
struct PushHead {
    /// A field's value in the request's bytes, or its absence.
    struct Place {
        private var start: Int32 = 0
        private var end: Int32 = -1

        /// Notes the place; the first one counts.
        ///
        /// - Returns: Whether there was one already.
        mutating func set(_ range: Range<Int>) -> Bool {
            if isPresent { return true }
            start = Int32(truncatingIfNeeded: range.lowerBound)
            end = Int32(truncatingIfNeeded: range.upperBound)
            return false
        }

        var isPresent: Bool { end >= 0 }
        var range: Range<Int> { isPresent ? Int(start)..<Int(end) : 0..<0 }
    }

    private(set) var method = Place()
    private(set) var path = Place()
    private(set) var authorization = Place()
    private(set) var topic = Place()
    private(set) var pushType = Place()
    private(set) var priority = Place()
    private(set) var expiration = Place()
    private(set) var collapseID = Place()
    private(set) var id = Place()
    /// Whether one of these stands twice.
    private(set) var hasDuplicates = false

    /// Finds the fields of a request.
    init(_ request: ServerRequest) {
        let bytes = request.bytes
        for index in 0..<request.fieldCount {
            let field = request.field(at: index)
            let name = bytes.extracting(field.name)
            var isRepeated = false
            let value = field.value
            switch name.count {
            case 5 where name.equals(":path"): isRepeated = path.set(value)
            case 7 where name.equals("apns-id"): isRepeated = id.set(value)
            case 7 where name.equals(":method"): isRepeated = method.set(value)
            case 10 where name.equals("apns-topic"): isRepeated = topic.set(value)
            case 13 where name.equals("authorization"): isRepeated = authorization.set(value)
            case 13 where name.equals("apns-priority"): isRepeated = priority.set(value)
            case 14 where name.equals("apns-push-type"): isRepeated = pushType.set(value)
            case 15 where name.equals("apns-expiration"): isRepeated = expiration.set(value)
            case 16 where name.equals("apns-collapse-id"): isRepeated = collapseID.set(value)
            default: break
            }
            if isRepeated { hasDuplicates = true }
        }
    }

    /// The device token in the path; empty where the path has none.
    func token(in bytes: Span<UInt8>) -> Range<Int> {
        let range = path.range
        let prefixCount = 10
        guard range.count > prefixCount, bytes.extracting(range).starts(with: "/3/device/") else {
            return range.upperBound..<range.upperBound
        }
        return range.lowerBound + prefixCount..<range.upperBound
    }
}

extension Span<UInt8> {
    /// Whether the bytes are those of a text.
    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && starts(with: text)
    }

    /// Whether the first bytes are those of a text.
    func starts(with text: StaticString) -> Bool {
        let prefixCount = text.utf8CodeUnitCount
        guard count >= prefixCount else { return false }
        return unsafe withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return prefixCount == 0 }
            return unsafe memcmp(start, text.utf8Start, prefixCount) == 0
        }
    }

    /// Whether two spans hold the same bytes.
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return unsafe memcmp(first, second, left.count) == 0
            }
        }
    }

    /// Whether an array holds the same bytes.
    func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

    /// A copy of the bytes.
    var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }

    /// A copy of the bytes as text; what is not UTF-8 becomes U+FFFD.
    var text: String { unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }

    /// The value of decimal digits alone; nil for anything else and above 18 digits.
    var decimal: Int64? {
        guard count > 0, count <= 18 else { return nil }
        var value: Int64 = 0
        for index in 0..<count {
            let digit = self[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}
