internal import Kafka

/// Where intake stands in each partition that it reads.
struct IntakePositions {
    private struct Position {
        /// The offset that follows the last committed transaction, or at which reading began; -1 before any record.
        var next: Int64 = -1
        /// The offset that follows the last record taken; -1 before any.
        var taken: Int64 = -1
        /// The highest offset known to be committed; -1 when none is known.
        var committed: Int64 = -1
        /// The end of the partition when it was last reached; -1 before.
        var end: Int64 = -1
    }

    private var positions: [TopicPartition: Position] = [:]

    /// A record was taken out of the queue, for the open transaction or to be read again.
    mutating func took(_ partition: TopicPartition, offset: Int64) {
        if positions[partition, default: Position()].next < 0 {
            positions[partition, default: Position()].next = offset
        }
        positions[partition, default: Position()].taken = offset + 1
    }

    /// Everything before an offset has been taken.
    mutating func reachedEnd(of partition: TopicPartition, at offset: Int64) {
        positions[partition, default: Position()].end = offset
    }

    /// Offsets were committed, with a transaction or alone; the answer to an older commit may come after a newer one.
    mutating func committed(_ offsets: [OffsetCommit]) {
        for offset in offsets {
            guard var position = positions[offset.topicPartition] else { continue }
            position.next = max(position.next, offset.offset)
            position.committed = max(position.committed, offset.offset)
            positions[offset.topicPartition] = position
        }
    }

    /// The ends that are reached and not committed, where nothing that was taken lacks its commit.
    var uncommittedEnds: [OffsetCommit] {
        positions.compactMap { partition, position in
            guard position.end > position.committed, position.end >= position.next, position.taken <= position.next
            else { return nil }
            return OffsetCommit(topicPartition: partition, offset: position.end)
        }
    }

    /// Takes the positions back to what is committed; the ends beyond have to be reached again.
    ///
    /// - Returns: Where to read again.
    mutating func goBack() -> [Consumer.Start] {
        var starts: [Consumer.Start] = []
        for (partition, position) in positions where position.next >= 0 {
            positions[partition]?.taken = position.next
            positions[partition]?.end = -1
            starts.append((partition, position.next))
        }
        return starts
    }
}

/// What an open transaction covers of the input.
struct IntakeTransaction {
    private var nexts: [TopicPartition: Int64] = [:]
    /// The bytes of the events in it.
    private(set) var bytes = 0
    /// The producer has begun it.
    var isOpen = false

    /// The offsets that it commits.
    var offsets: [OffsetCommit] { nexts.map { OffsetCommit(topicPartition: $0.key, offset: $0.value) } }

    /// Adds one record.
    mutating func cover(_ partition: TopicPartition, offset: Int64, bytes: Int) {
        nexts[partition] = offset + 1
        self.bytes += bytes
    }
}
