internal import CRdKafka

/// A reused buffer of records that were taken from a queue and not yet from here.
@safe
public struct RecordBatch: ~Copyable {
    /// The most records that it holds.
    public let capacity: Int
    private let messages: UnsafeMutablePointer<UnsafeMutablePointer<rd_kafka_message_t>?>
    private var client: ClientHandle?
    private var first = 0
    private var end = 0

    /// Makes an empty buffer.
    ///
    /// - Parameter capacity: The most records that it holds, at least 1.
    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        unsafe messages = .allocate(capacity: self.capacity)
    }

    deinit {
        for index in first..<end { unsafe rd_kafka_message_destroy(messages[index]) }
        unsafe messages.deallocate()
    }

    /// Frees the records that were not taken out.
    public mutating func removeAll() {
        for index in first..<end { unsafe rd_kafka_message_destroy(messages[index]) }
        first = 0
        end = 0
    }

    /// How many records wait here.
    public var count: Int { end - first }

    /// Takes the first record out.
    ///
    /// - Returns: Nil when the buffer is empty.
    public mutating func next() -> Record? {
        guard first < end, let message = unsafe messages[first], let client else { return nil }
        first += 1
        return unsafe Record(takingOwnershipOf: message, client: client)
    }

    /// Fills the buffer, which has to be empty, from a queue that holds messages only.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - client: Its client.
    ///   - max: The most records to take.
    ///   - timeoutMillis: How long to wait for the first; 0 only looks.
    /// - Returns: How many were taken.
    mutating func fill(from queue: OpaquePointer, client: ClientHandle, max: Int, timeoutMillis: Int) -> Int {
        precondition(first == end, "the records of the batch before have to be taken first")
        let wanted = min(max, capacity)
        guard wanted > 0 else { return 0 }
        let taken = unsafe rd_kafka_consume_batch_queue(queue, Int32(clamping: timeoutMillis), messages, wanted)
        first = 0
        end = Swift.max(0, taken)
        self.client = client
        return end
    }
}
