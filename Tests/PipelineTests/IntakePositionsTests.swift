import Kafka
import Testing

@testable import Pipeline

@Suite struct IntakePositionsTests {
    private static func offset(_ topic: String, _ partition: Int32, _ offset: Int64) -> OffsetCommit {
        OffsetCommit(topicPartition: TopicPartition(topic: topic, partition: partition), offset: offset)
    }

    private var positions = IntakePositions(topics: ["places", "campaigns"])

    @Test mutating func `a transaction commits the offsets that follow its records`() {
        positions.took(topic: 0, partition: 2, offset: 7)
        positions.took(topic: 0, partition: 2, offset: 9)
        positions.took(topic: 1, partition: 0, offset: 3)
        #expect(positions.taken == [Self.offset("places", 2, 10), Self.offset("campaigns", 0, 4)])
        positions.transactionCommitted()
        #expect(positions.taken.isEmpty)
    }

    @Test mutating func `an aborted transaction is read again from where the last committed one ended`() {
        positions.took(topic: 0, partition: 0, offset: 4)
        positions.transactionCommitted()
        positions.took(topic: 0, partition: 0, offset: 5)
        positions.took(topic: 0, partition: 1, offset: 80)
        positions.transactionAborted()
        #expect(positions.taken.isEmpty)
        #expect(positions.starts.map(\.offset) == [5, 80])
        #expect(positions.starts.map(\.topicPartition.partition) == [0, 1])
    }

    @Test mutating func `the end behind the last record is committed once`() {
        positions.took(topic: 0, partition: 0, offset: 4)
        positions.transactionCommitted()
        #expect(positions.uncommittedEnds.isEmpty)
        positions.reachedEnd(topic: 0, partition: 0, at: 6)
        #expect(positions.uncommittedEnds == [Self.offset("places", 0, 6)])
        positions.committedEnds(positions.uncommittedEnds)
        #expect(positions.uncommittedEnds.isEmpty)
    }

    @Test mutating func `an end that is committed late takes nothing back`() {
        positions.reachedEnd(topic: 0, partition: 0, at: 4)
        let ends = positions.uncommittedEnds
        positions.took(topic: 0, partition: 0, offset: 4)
        positions.took(topic: 0, partition: 0, offset: 5)
        positions.transactionCommitted()
        positions.committedEnds(ends)
        #expect(positions.starts.map(\.offset) == [6])
    }

    @Test mutating func `reading begins again where it began before anything was committed`() {
        positions.took(topic: 0, partition: 0, offset: 10)
        positions.took(topic: 0, partition: 0, offset: 11)
        positions.transactionAborted()
        #expect(positions.starts.map(\.offset) == [10])
    }

    @Test mutating func `no end is committed while what was taken lacks its commit`() {
        positions.took(topic: 0, partition: 0, offset: 10)
        positions.reachedEnd(topic: 0, partition: 0, at: 11)
        #expect(positions.uncommittedEnds.isEmpty)
    }

    @Test mutating func `no end is committed that was reached before an aborted transaction`() {
        positions.took(topic: 0, partition: 0, offset: 10)
        positions.reachedEnd(topic: 0, partition: 0, at: 11)
        positions.transactionAborted()
        #expect(positions.uncommittedEnds.isEmpty)
        positions.took(topic: 0, partition: 0, offset: 10)
        positions.reachedEnd(topic: 0, partition: 0, at: 11)
        positions.transactionCommitted()
        #expect(positions.uncommittedEnds.isEmpty)
    }

    @Test mutating func `partitions that are gone are forgotten`() {
        positions.took(topic: 1, partition: 3, offset: 1)
        positions.reachedEnd(topic: 0, partition: 0, at: 9)
        positions.removeAll()
        #expect(positions.taken.isEmpty && positions.starts.isEmpty && positions.uncommittedEnds.isEmpty)
    }

    @Test mutating func `what names no partition of it is ignored`() {
        positions.took(topic: 2, partition: 0, offset: 1)
        positions.took(topic: 0, partition: -1, offset: 1)
        positions.committedEnds([Self.offset("other", 0, 5)])
        #expect(positions.taken.isEmpty && positions.starts.isEmpty)
    }
}
