internal import CRdKafka
internal import Glibc

/// The headers of a record, lent by it.
@safe
public struct RecordHeaders {
    private let headers: OpaquePointer
    /// How many there are.
    public let count: Int

    init(_ headers: OpaquePointer) {
        unsafe self.headers = headers
        count = unsafe rd_kafka_header_cnt(headers)
    }

    /// One header.
    @safe
    public struct Header {
        // Four words, which are returned in registers; an optional pair would go through memory twelve times a push.
        fileprivate let nameStart: UnsafeRawPointer?
        fileprivate let nameCount: Int
        fileprivate let valueStart: UnsafeRawPointer?
        fileprivate let valueCount: Int

        /// Its name, without NUL.
        public var name: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nameStart, count: nameCount) }

        /// Its value; nil when it is null.
        public var value: UnsafeRawBufferPointer? {
            unsafe valueStart.map { unsafe UnsafeRawBufferPointer(start: $0, count: valueCount) }
        }
    }

    /// The header at an index below ``count``, in the order of the record; an empty one at any other.
    public subscript(_ index: Int) -> Header {
        var name: UnsafePointer<CChar>?
        var bytes: UnsafeRawPointer?
        var count = 0
        // Fails only where there is no such header, and sets nothing then.
        _ = unsafe rd_kafka_header_get_all(headers, index, &name, &bytes, &count)
        let nameCount = unsafe name.map { unsafe strlen($0) } ?? 0
        return unsafe Header(nameStart: name, nameCount: nameCount, valueStart: bytes, valueCount: count)
    }
}
