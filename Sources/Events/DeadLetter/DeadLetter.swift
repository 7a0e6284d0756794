internal import Cryptography

/// What becomes of a record that no stage can use: its bytes, and why.
public struct DeadLetter: Sendable, Equatable {
    /// The longest value that is kept; the topic takes 8 MiB with everything around the value.
    public static let valueBytesMax = 8 << 20 - 64 << 10

    /// The longest message; headers are no place for more.
    static let messageBytesMax = 4_096

    /// Whether the value is too long to be kept; its digest stands in the headers then.
    public let omitsValue: Bool

    /// `dlq.topic`, `dlq.partition`, `dlq.offset`, `dlq.code`, `dlq.message`, and of a value that is left out
    /// `dlq.value.omitted`, `dlq.value.size`, `dlq.value.sha256`.
    public let headers: [RecordHeader]

    /// Makes the dead letter of a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - faults: What is wrong with it; the first one gives the code.
    public init(_ record: EventRecord, faults: [EventFault]) {
        let code = faults.first?.code.rawValue ?? "geopush:unknown"
        let message = faults.map(\.description).joined(separator: "; ")
        unsafe self.init(
            topic: String(decoding: record.topic, as: UTF8.self),
            partition: record.partition,
            offset: record.offset,
            code: code,
            message: message,
            value: record.value
        )
    }

    /// Makes the dead letter of any record.
    ///
    /// - Parameters:
    ///   - topic: Its topic.
    ///   - partition: Its partition.
    ///   - offset: Its offset.
    ///   - code: Why, in one word.
    ///   - message: Why, in a sentence.
    ///   - value: Its value; nil for a tombstone.
    public init(
        topic: String,
        partition: Int32,
        offset: Int64,
        code: String,
        message: String,
        value: UnsafeRawBufferPointer?
    ) {
        var headers = [
            RecordHeader(name: "dlq.topic", text: topic),
            RecordHeader(name: "dlq.partition", text: String(partition)),
            RecordHeader(name: "dlq.offset", text: String(offset)),
            RecordHeader(name: "dlq.code", text: code),
            RecordHeader(name: "dlq.message", text: Self.cut(message)),
        ]
        omitsValue = unsafe (value?.count ?? 0) > Self.valueBytesMax
        if omitsValue, let value = unsafe value {
            var digest = ByteBuffer(capacity: 64)
            unsafe digest.append(hex: Digest.sha256(value))
            headers.append(RecordHeader(name: "dlq.value.omitted", text: "true"))
            headers.append(RecordHeader(name: "dlq.value.size", text: String(value.count)))
            headers.append(RecordHeader(name: "dlq.value.sha256", value: unsafe Array(digest.bytes)))
        }
        self.headers = headers
    }

    private static func cut(_ message: String) -> String {
        guard message.utf8.count > messageBytesMax else { return message }
        var text = ""
        for character in message {
            if text.utf8.count + character.utf8.count > messageBytesMax - 3 { break }
            text.append(character)
        }
        return text + "…"
    }
}

extension RecordHeader {
    /// Makes a header of a text.
    fileprivate init(name: String, text: String) { self.init(name: name, value: Array(text.utf8)) }
}
