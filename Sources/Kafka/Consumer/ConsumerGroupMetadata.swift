internal import CRdKafka

/// Which generation of its group a consumer belongs to, for offsets that a transaction commits.
///
/// To be fetched for each transaction, after the last poll.
@safe
public final class ConsumerGroupMetadata {
    let pointer: OpaquePointer

    init(takingOwnershipOf pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// Makes the metadata of a group that is not joined, for offsets that no member owns.
    public init(group: String) throws(KafkaError) {
        guard let pointer = unsafe rd_kafka_consumer_group_metadata_new(group) else {
            throw KafkaError(code: KafkaError.invalidArgument, message: "no group metadata for \"\(group)\"")
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe rd_kafka_consumer_group_metadata_destroy(pointer) }
}
