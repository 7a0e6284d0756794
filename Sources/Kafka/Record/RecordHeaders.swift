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

    /// One header, in the order of the record.
    ///
    /// Its name has no NUL, and its value is nil when it is null; nil outside the list.
    public subscript(_ index: Int) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?)? {
        var name: UnsafePointer<CChar>?
        var bytes: UnsafeRawPointer?
        var count = 0
        guard unsafe rd_kafka_header_get_all(headers, index, &name, &bytes, &count) == RD_KAFKA_RESP_ERR_NO_ERROR,
            let name = unsafe name
        else { return nil }
        let value = unsafe bytes.map { unsafe UnsafeRawBufferPointer(start: $0, count: count) }
        return unsafe (UnsafeRawBufferPointer(start: name, count: strlen(name)), value)
    }
}
