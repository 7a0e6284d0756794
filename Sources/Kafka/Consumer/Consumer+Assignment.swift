internal import CRdKafka

extension Consumer {
    /// A partition and where to begin in it.
    public typealias Start = (topicPartition: TopicPartition, offset: Int64)

    /// Answers ``ConsumerEvent/assigned(_:)``: gives each partition a queue of its own, then begins to fetch.
    ///
    /// - Parameter partitions: Those of the event, also when there are none, each with the offset to begin at;
    ///   ``OffsetCommit/none`` for what is committed or, without that, what `auto.offset.reset` says.
    /// - Returns: The queues of the partitions, in the same order.
    /// - Throws: What librdkafka refuses, such as an assignment that is no longer valid.
    public func accept(_ partitions: [Start]) throws(KafkaError) -> [PartitionQueue] {
        let client = try assignable()
        let queues = try openQueues(partitions, client)
        try add(partitions, client)
        return queues
    }

    /// Answers ``ConsumerEvent/assigned(_:)``, and lets all records flow into one queue.
    ///
    /// - Parameter partitions: As for ``accept(_:)``.
    /// - Returns: The queue, the same one each time.
    /// - Throws: What librdkafka refuses.
    @discardableResult
    public func acceptShared(_ partitions: [Start]) throws(KafkaError) -> SharedQueue {
        let client = try assignable()
        let shared = gather(partitions, client)
        try add(partitions, client)
        return shared
    }

    /// Answers ``ConsumerEvent/revoked(_:lost:)``: closes the queues of these partitions, then gives them up.
    ///
    /// - Throws: What librdkafka refuses; the queues are closed all the same. Without a revocation to answer nothing
    ///   happens but the error.
    public func acceptRevocation() throws(KafkaError) {
        let client = try live()
        // Answering what was not asked would wait without end in a consumer that has closed meanwhile.
        guard let partitions = revoked.take() else {
            throw KafkaError(code: KafkaError.state, message: "no revocation to answer")
        }
        let isCooperative = protocolIsCooperative(client)
        for partition in isCooperative ? partitions : Array(partitionQueues.keys) {
            partitionQueues.removeValue(forKey: partition)?.close()
        }
        defer { settle(client) }
        guard isCooperative else { return try check(unsafe rd_kafka_assign(client.pointer, nil)) }
        let list = TopicPartitionList(partitions)
        if let error = unsafe rd_kafka_incremental_unassign(client.pointer, list.pointer) {
            throw unsafe KafkaError(takingOwnershipOf: error)
        }
    }

    /// Reads chosen partitions without joining a group, each from a queue of its own; replaces what was read before.
    ///
    /// - Parameter partitions: Where to begin; ``beginning`` and ``end`` are allowed.
    /// - Returns: The queues of the partitions, in the same order.
    /// - Throws: What librdkafka refuses.
    public func assign(_ partitions: [Start]) throws(KafkaError) -> [PartitionQueue] {
        let client = try assignable()
        for queue in partitionQueues.values { queue.close() }
        partitionQueues = [:]
        let queues = try openQueues(partitions, client)
        try replace(partitions, client)
        return queues
    }

    /// Reads chosen partitions without joining a group, all from one queue; replaces what was read before.
    ///
    /// - Parameter partitions: Where to begin; ``beginning`` and ``end`` are allowed.
    /// - Returns: The queue.
    /// - Throws: What librdkafka refuses.
    @discardableResult
    public func assignShared(_ partitions: [Start]) throws(KafkaError) -> SharedQueue {
        let client = try assignable()
        let shared = gather(partitions, client)
        try replace(partitions, client)
        return shared
    }

    /// Moves the position in partitions that are assigned, such as back to what is committed after a transaction was
    /// aborted; what was fetched from before it is dropped.
    ///
    /// - Parameters:
    ///   - partitions: Where to go on.
    ///   - timeoutMillis: How long to wait.
    /// - Throws: The first partition's error, or the time being over.
    public func seek(_ partitions: [Start], timeoutMillis: Int) throws(KafkaError) {
        let client = try live()
        let list = Consumer.list(partitions)
        // 2.0 takes microseconds here, whatever its documentation says.
        let timeout = LibraryVersion.number < 0x0201_0000 ? timeoutMillis * 1_000 : timeoutMillis
        if let error = unsafe rd_kafka_seek_partitions(client.pointer, list.pointer, Int32(clamping: timeout)) {
            throw unsafe KafkaError(takingOwnershipOf: error)
        }
        // What was dropped may have raised the signal, and librdkafka raises it once until the queue is served: without
        // this the records that come instead would not raise it.
        for (partition, _) in partitions { partitionQueues[partition]?.rearm() }
        sharedQueue?.rearm()
        for index in 0..<partitions.count {
            try check(unsafe list.pointer.pointee.elems[index].err)
        }
    }

    /// The offset that means the first record there is.
    public static let beginning: Int64 = -2
    /// The offset that means what comes next.
    public static let end: Int64 = -1

    /// The client, unless it closes: then an assignment has no meaning, and might wait without end.
    private func assignable() throws(KafkaError) -> ClientHandle {
        guard !isClosing else { throw KafkaError(code: KafkaError.state, message: "the consumer closes") }
        return try live()
    }

    private func openQueues(_ partitions: [Start], _ client: ClientHandle) throws(KafkaError) -> [PartitionQueue] {
        var queues: [PartitionQueue] = []
        for (partition, _) in partitions {
            partitionQueues[partition]?.close()
            guard let queue = PartitionQueue(partition, client: client) else {
                throw KafkaError(code: KafkaError.unknownPartition, message: "no queue for \(partition)")
            }
            partitionQueues[partition] = queue
            queues.append(queue)
        }
        return queues
    }

    private func gather(_ partitions: [Start], _ client: ClientHandle) -> SharedQueue {
        let shared = sharedQueue ?? SharedQueue(client: client)
        sharedQueue = shared
        for (partition, _) in partitions { shared.gather(partition) }
        return shared
    }

    private func add(_ partitions: [Start], _ client: ClientHandle) throws(KafkaError) {
        guard protocolIsCooperative(client) else { return try replace(partitions, client) }
        let list = Consumer.list(partitions)
        if let error = unsafe rd_kafka_incremental_assign(client.pointer, list.pointer) {
            throw unsafe KafkaError(takingOwnershipOf: error)
        }
    }

    private func replace(_ partitions: [Start], _ client: ClientHandle) throws(KafkaError) {
        let list = Consumer.list(partitions)
        try check(unsafe rd_kafka_assign(client.pointer, list.pointer))
        settle(client)
    }

    /// Waits until librdkafka's main thread has stopped what was given up.
    ///
    /// 2.0 aborts the process where a partition is given up again before: the stop is counted twice. The thread answers
    /// in turn: the stop is handled before the first of these questions, its answer before the second. Once the consumer
    /// closes it may never answer again, and nothing is assigned any more.
    private func settle(_ client: ClientHandle) {
        guard !isClosing else { return }
        for _ in 0..<2 {
            var list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
            guard unsafe rd_kafka_assignment(client.pointer, &list) == RD_KAFKA_RESP_ERR_NO_ERROR,
                let list = unsafe list
            else { return }
            _ = unsafe TopicPartitionList(takingOwnershipOf: list)
        }
    }

    /// The wrong family of calls kills the consumer, and only the running protocol tells which is right.
    private func protocolIsCooperative(_ client: ClientHandle) -> Bool {
        guard let name = unsafe rd_kafka_rebalance_protocol(client.pointer) else { return false }
        return unsafe String(cString: name) == "COOPERATIVE"
    }

    private static func list(_ partitions: [Start]) -> TopicPartitionList {
        let list = TopicPartitionList(capacity: partitions.count)
        for (partition, offset) in partitions { list.add(partition, offset: offset) }
        return list
    }
}
