internal import Kafka

/// Where intake stands in each partition that it reads, and what its open transaction covers.
struct IntakePositions {
    private struct Position {
        /// The offset that follows the last committed transaction, or at which reading began; -1 before any record.
        var next: Int64 = -1
        /// The highest offset known to be committed; -1 when none is known.
        var committed: Int64 = -1
        /// The end of the partition when it was last reached; -1 before.
        var end: Int64 = -1
        /// The offset that follows the last record taken since the last transaction ended; -1 when none was.
        var taken: Int64 = -1
    }

    private let topics: [String]
    /// By the topic's place in the list, then by the partition's number.
    private var positions: [[Position]]

    /// Begins with nothing read.
    ///
    /// - Parameter topics: The topics; they are named by their place in this list from now on.
    init(topics: [String]) {
        self.topics = topics
        positions = topics.map { _ in [] }
    }

    /// Forgets all partitions.
    mutating func removeAll() { positions = topics.map { _ in [] } }

    /// A record was taken out of the queue, for the open transaction or to be read again.
    mutating func took(topic: Int, partition: Int32, offset: Int64) {
        update(topic, partition) { position in
            if position.next < 0 { position.next = offset }
            position.taken = offset + 1
        }
    }

    /// Everything before an offset has been taken.
    mutating func reachedEnd(topic: Int, partition: Int32, at offset: Int64) {
        update(topic, partition) { $0.end = offset }
    }

    /// The offsets that the open transaction commits.
    var taken: [OffsetCommit] { offsets { $0.taken < 0 ? nil : $0.taken } }

    /// The open transaction was committed.
    mutating func transactionCommitted() {
        updateAll { position in
            guard position.taken >= 0 else { return }
            position.next = position.taken
            position.committed = position.taken
            position.taken = -1
        }
    }

    /// The open transaction was given up; the ends beyond it have to be reached again.
    mutating func transactionAborted() {
        updateAll { position in
            position.taken = -1
            position.end = -1
        }
    }

    /// Ends were committed alone.
    mutating func committedEnds(_ offsets: [OffsetCommit]) {
        for offset in offsets {
            guard let topic = topics.firstIndex(of: offset.topicPartition.topic) else { continue }
            update(topic, offset.topicPartition.partition) { position in
                // Never back: a transaction may have gone further since.
                position.next = max(position.next, offset.offset)
                position.committed = max(position.committed, offset.offset)
            }
        }
    }

    /// The ends that are reached and not committed, where nothing that was taken lacks its commit.
    var uncommittedEnds: [OffsetCommit] {
        offsets { $0.taken < 0 && $0.end > $0.committed && $0.end >= $0.next ? $0.end : nil }
    }

    /// How many records of the partitions read so far are not committed.
    ///
    /// - Parameter end: The offset of the record that will come next in a partition; nil where it is not known.
    /// - Returns: The records.
    func lag(_ end: (TopicPartition) -> Int64?) -> Int64 {
        var lag: Int64 = 0
        for position in offsets({ max($0.next, $0.committed) < 0 ? nil : max($0.next, $0.committed) }) {
            lag += end(position.topicPartition).map { max(0, $0 - position.offset) } ?? 0
        }
        return lag
    }

    /// Where to read again after an aborted transaction.
    var starts: [Consumer.Start] { offsets { $0.next < 0 ? nil : $0.next }.map { ($0.topicPartition, $0.offset) } }

    private func offsets(_ offset: (Position) -> Int64?) -> [OffsetCommit] {
        var offsets: [OffsetCommit] = []
        for (topic, partitions) in zip(topics, positions) {
            for (partition, position) in partitions.enumerated() {
                guard let offset = offset(position) else { continue }
                let place = TopicPartition(topic: topic, partition: Int32(partition))
                offsets.append(OffsetCommit(topicPartition: place, offset: offset))
            }
        }
        return offsets
    }

    @inline(__always)
    private mutating func update(_ topic: Int, _ partition: Int32, _ body: (inout Position) -> Void) {
        let index = Int(partition)
        guard index >= 0, positions.indices.contains(topic) else { return }
        while positions[topic].count <= index { positions[topic].append(Position()) }
        body(&positions[topic][index])
    }

    private mutating func updateAll(_ body: (inout Position) -> Void) {
        for topic in positions.indices {
            for partition in positions[topic].indices { body(&positions[topic][partition]) }
        }
    }
}
