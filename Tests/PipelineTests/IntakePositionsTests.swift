import Kafka
import Testing

@testable import Pipeline

@Suite struct IntakePositionsTests {
    private let first = TopicPartition(topic: "events", partition: 0)
    private let second = TopicPartition(topic: "events", partition: 1)
    private var positions = IntakePositions()

    private func offset(_ partition: TopicPartition, _ offset: Int64) -> OffsetCommit {
        OffsetCommit(topicPartition: partition, offset: offset)
    }

    @Test mutating func `goes back to where the last transaction ended`() {
        positions.took(first, offset: 10)
        positions.took(first, offset: 11)
        positions.committed([offset(first, 12)])
        positions.took(first, offset: 12)
        #expect(positions.goBack().map(\.offset) == [12])
    }

    @Test mutating func `goes back to where reading began before anything is committed`() {
        positions.took(first, offset: 10)
        positions.took(first, offset: 11)
        positions.took(second, offset: 5)
        #expect(
            Set(positions.goBack().map { offset($0.topicPartition, $0.offset) }) == [
                offset(first, 10), offset(second, 5),
            ]
        )
    }

    @Test mutating func `commits the end of a partition that holds nothing to read`() {
        positions.reachedEnd(of: first, at: 7)
        #expect(positions.uncommittedEnds == [offset(first, 7)])
        positions.committed([offset(first, 7)])
        #expect(positions.uncommittedEnds.isEmpty)
    }

    @Test mutating func `commits an end beyond the last record, where a transaction's marker stands`() {
        positions.took(first, offset: 10)
        positions.reachedEnd(of: first, at: 12)
        positions.committed([offset(first, 11)])
        #expect(positions.uncommittedEnds == [offset(first, 12)])
    }

    @Test mutating func `commits no end while what was taken lacks its commit`() {
        positions.took(first, offset: 10)
        positions.reachedEnd(of: first, at: 11)
        #expect(positions.uncommittedEnds.isEmpty)
    }

    @Test mutating func `commits no end that was reached before an aborted transaction`() {
        positions.took(first, offset: 10)
        positions.reachedEnd(of: first, at: 11)
        _ = positions.goBack()
        #expect(positions.uncommittedEnds.isEmpty)
        positions.took(first, offset: 10)
        positions.committed([offset(first, 11)])
        positions.reachedEnd(of: first, at: 11)
        #expect(positions.uncommittedEnds.isEmpty)
    }

    @Test mutating func `an answer that comes late takes nothing back`() {
        positions.reachedEnd(of: first, at: 10)
        positions.took(first, offset: 10)
        positions.committed([offset(first, 11)])
        positions.committed([offset(first, 10)])
        positions.took(first, offset: 11)
        #expect(positions.goBack().map(\.offset) == [11])
    }
}
