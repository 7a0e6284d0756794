/// A record of one of the topics that teams publish to, lent from its Kafka message.
@safe
public struct EventRecord {
    /// Which topic it is, whatever its name.
    public let kind: TopicKind

    /// The topic's name.
    public let topic: UnsafeRawBufferPointer

    /// Its partition.
    public let partition: Int32

    /// Its offset.
    public let offset: Int64

    /// Its timestamp in milliseconds since 1970.
    public let timestampMillis: Int64

    /// Its key; nil when it has none.
    public let key: UnsafeRawBufferPointer?

    /// Its value; nil for a tombstone, which is not the same as 0 bytes.
    public let value: UnsafeRawBufferPointer?

    /// Describes a record; all bytes must outlive the value.
    public init(
        kind: TopicKind,
        topic: UnsafeRawBufferPointer,
        partition: Int32,
        offset: Int64,
        timestampMillis: Int64,
        key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?
    ) {
        self.kind = kind
        unsafe self.topic = topic
        self.partition = partition
        self.offset = offset
        self.timestampMillis = timestampMillis
        unsafe self.key = key
        unsafe self.value = value
    }
}
