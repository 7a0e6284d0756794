internal import CRdKafka
internal import Glibc

/// The owner of an `rd_kafka_topic_partition_list_t`.
///
/// librdkafka hides references to partitions in such lists, and a client is never destroyed before the last of them:
/// none is ever held longer than a call.
@safe
struct TopicPartitionList: ~Copyable {
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    init(capacity: Int) {
        unsafe pointer = rd_kafka_topic_partition_list_new(Int32(clamping: capacity))
    }

    init(_ partitions: some Collection<TopicPartition>) {
        self.init(capacity: partitions.count)
        for partition in partitions { add(partition, offset: OffsetCommit.none) }
    }

    init(takingOwnershipOf pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>) {
        unsafe self.pointer = pointer
    }

    deinit { unsafe rd_kafka_topic_partition_list_destroy(pointer) }

    func add(_ partition: TopicPartition, offset: Int64, metadata: String = "") {
        guard let element = unsafe rd_kafka_topic_partition_list_add(pointer, partition.topic, partition.partition)
        else { return }
        unsafe element.pointee.offset = offset
        guard !metadata.isEmpty else { return }
        // Freed with the list by librdkafka, which is why it comes from malloc; the NUL of strdup is not counted.
        guard let copy = unsafe strdup(metadata) else { return }
        unsafe element.pointee.metadata = UnsafeMutableRawPointer(copy)
        unsafe element.pointee.metadata_size = strlen(copy)
    }

    /// The elements of a list, which may belong to an event.
    static func partitions(of list: UnsafePointer<rd_kafka_topic_partition_list_t>?) -> [TopicPartition] {
        guard let list = unsafe list else { return [] }
        return unsafe (0..<Int(list.pointee.cnt)).map { unsafe partition(of: list.pointee.elems[$0]) }
    }

    static func partition(of element: rd_kafka_topic_partition_t) -> TopicPartition {
        unsafe TopicPartition(
            topic: element.topic.map { unsafe String(cString: $0) } ?? "",
            partition: element.partition
        )
    }

    static func commit(of element: rd_kafka_topic_partition_t) -> OffsetCommit {
        let bytes = unsafe UnsafeRawBufferPointer(start: element.metadata, count: element.metadata_size)
        return unsafe OffsetCommit(
            topicPartition: partition(of: element),
            offset: element.offset,
            metadata: String(decoding: bytes, as: UTF8.self)
        )
    }
}
