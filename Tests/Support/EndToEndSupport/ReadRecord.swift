public import Events
public import Kafka

/// A record as it was read, copied.
public struct ReadRecord: Sendable, Equatable {
    /// Its key; nil is null.
    public let key: String?
    /// Its value; nil is null.
    public let bytes: [UInt8]?
    /// Its headers by name.
    public let headers: [String: String]
    /// Its partition.
    public let partition: Int32
    /// Its offset.
    public let offset: Int64

    /// Its value as text; nil is null.
    public var value: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Copies a record.
    public init(_ record: borrowing Record) {
        key = record.key.map { String(decoding: $0, as: UTF8.self) }
        bytes = record.value.map { Array($0) }
        var headers: [String: String] = [:]
        if let list = record.headerList {
            for index in 0..<list.count {
                let header = list[index]
                headers[String(decoding: header.name, as: UTF8.self)] = header.value.map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
        self.headers = headers
        partition = record.partition
        offset = record.offset
    }
}

/// A receipt as monitoring reads it, with its record's key.
public struct ReadReceipt: Sendable {
    /// The key of its record.
    public let key: String
    /// What it says.
    public let receipt: Receipt

    /// Reads a record of the topic of receipts; nil when it is none.
    public init?(_ record: borrowing Record) {
        var reader = ReceiptReader()
        guard let value = record.value, let receipt = reader.read(value) else { return nil }
        self.receipt = receipt
        key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
