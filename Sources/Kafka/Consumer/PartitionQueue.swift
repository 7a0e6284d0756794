internal import CRdKafka

/// The records of one assigned partition, fetched ahead by librdkafka within its bounds.
///
/// Not taking from it holds the partition back, and costs neither membership nor a fetch; it is read by the thread of
/// its ``Consumer``. When the partition is revoked the consumer closes it, and it stays empty.
@safe
public final class PartitionQueue {
    /// The partition.
    public let topicPartition: TopicPartition
    private let client: ClientHandle
    private var queue: OpaquePointer?

    /// Cuts the partition's queue loose from the consumer's.
    init?(_ topicPartition: TopicPartition, client: ClientHandle) {
        guard
            let queue = unsafe rd_kafka_queue_get_partition(
                client.pointer,
                topicPartition.topic,
                topicPartition.partition
            )
        else { return nil }
        self.topicPartition = topicPartition
        self.client = client
        unsafe self.queue = queue
        unsafe rd_kafka_queue_forward(queue, nil)
        unsafe client.signal(from: queue)
    }

    deinit { close() }

    /// Whether the partition is no longer ours.
    public var isClosed: Bool { unsafe queue == nil }

    /// Moves records into an empty batch; never waits.
    ///
    /// The signal is raised only when something arrives in an empty queue, so take until less than `max` came, or come
    /// back without being called.
    ///
    /// - Parameters:
    ///   - batch: Has to be empty.
    ///   - max: The most records to take.
    /// - Returns: How many there are in the batch; fewer than `max` and its capacity mean that the queue is empty.
    public func take(into batch: inout RecordBatch, max: Int) -> Int {
        guard let queue = unsafe queue else { return 0 }
        return unsafe batch.fill(from: queue, client: client, max: max, timeoutMillis: 0)
    }

    /// About how many records wait, fetched and not taken; marks of librdkafka's own count, too.
    public var count: Int {
        guard let queue = unsafe queue else { return 0 }
        return unsafe rd_kafka_queue_length(queue)
    }

    /// Makes the next record raise the signal, and raises it for those that are there.
    func rearm() {
        guard let queue = unsafe queue else { return }
        unsafe client.signal(from: queue)
        client.raiseSignal()
    }

    /// Gives the queue back; has to happen before the partition is unassigned.
    func close() {
        guard let queue = unsafe queue.take() else { return }
        // The queue itself lives on in the client, and would write into a descriptor that may be another's by then.
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        unsafe rd_kafka_queue_destroy(queue)
    }
}
