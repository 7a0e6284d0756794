internal import CRdKafka

/// The records of all partitions of one consumer in the order in which they were fetched, for loops that may block.
///
/// Records of a partition that was revoked meanwhile are dropped by librdkafka.
@safe
public final class SharedQueue {
    private let client: ClientHandle
    private var queue: OpaquePointer?

    init(client: ClientHandle) {
        self.client = client
        let queue = unsafe rd_kafka_queue_new(client.pointer)
        unsafe self.queue = queue
        if let queue = unsafe queue { unsafe client.signal(from: queue) }
    }

    deinit { close() }

    /// Moves records into an empty batch.
    ///
    /// - Parameters:
    ///   - batch: Has to be empty.
    ///   - max: The most records to take.
    ///   - timeoutMillis: How long to wait for `max` records; 0 takes what is there.
    /// - Returns: How many there are in the batch.
    public func take(into batch: inout RecordBatch, max: Int, timeoutMillis: Int) -> Int {
        guard let queue = unsafe queue else { return 0 }
        return unsafe batch.fill(from: queue, client: client, max: max, timeoutMillis: timeoutMillis)
    }

    /// Lets a partition's records flow into this queue.
    func gather(_ partition: TopicPartition) {
        guard let queue = unsafe queue,
            let source = unsafe rd_kafka_queue_get_partition(client.pointer, partition.topic, partition.partition)
        else { return }
        unsafe rd_kafka_queue_forward(source, queue)
        unsafe rd_kafka_queue_destroy(source)
    }

    /// Makes the next record raise the signal, and raises it for those that are there.
    func rearm() {
        guard let queue = unsafe queue else { return }
        unsafe client.signal(from: queue)
        client.raiseSignal()
    }

    func close() {
        guard let queue = unsafe queue.take() else { return }
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        unsafe rd_kafka_queue_destroy(queue)
    }
}
