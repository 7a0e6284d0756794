import BlockingTestSupport
import EventLoop
import Kafka
import KafkaTestSupport
import Testing

/// On the mock a first join takes 3 s.
@Suite(.blocks, .timeLimit(.minutes(15))) struct ConsumerGroupTests {
    let cluster: MockCluster

    init() throws { cluster = try MockCluster() }

    @Test func `a lone member gets every partition and every record`() throws {
        try cluster.fill("t", partitions: 3, count: 30)
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        let queues = try consumer.join(["t"])
        #expect(queues.map(\.topicPartition.partition).sorted() == [0, 1, 2])
        let records = try consumer.read(queues, until: 3, of: .endOfPartition)
        #expect(Set(records.compactMap(\.value)) == Set((0..<30).map { "\($0)" }))
        #expect(records.filter { $0.kind == .endOfPartition }.allSatisfy { $0.offset == 10 })
    }

    @Test func `a second member takes a part over after the first has answered`() throws {
        try cluster.fill("t", partitions: 2, count: 4)
        let first = try Consumer(cluster.settings("0-a"), group: "g", signal: nil)
        let queues = try first.join(["t"])
        let second = try Consumer(cluster.settings("1-b"), group: "g", signal: nil)
        try second.subscribe(["t"])
        let (revoked, lost) = try first.waitForRevocation()
        #expect(Set(revoked) == Set(queues.map(\.topicPartition)))
        #expect(!lost)
        #expect(queues.allSatisfy { !$0.isClosed }, "still ours until it is answered")
        try first.acceptRevocation()
        #expect(queues.allSatisfy { $0.isClosed })
        // On a slow machine the second may be given nothing at first.
        var parts: (first: [PartitionQueue], second: [PartitionQueue]) = ([], [])
        let deadline = Clock.monotonicMillis() + 30_000
        while parts.first.count != 1 || parts.second.count != 1, Clock.monotonicMillis() < deadline {
            parts.first = try answer(first) ?? parts.first
            parts.second = try answer(second) ?? parts.second
        }
        #expect(Set((parts.first + parts.second).map(\.topicPartition)) == Set(revoked))
        let records = try second.read(parts.second, until: 2)
        #expect(records.filter { $0.kind == .data }.count == 2)
    }

    /// Answers the next event about partitions, if there is one.
    private func answer(_ consumer: Consumer) throws -> [PartitionQueue]? {
        switch consumer.pollEvent(timeoutMillis: 10) {
        case .assigned(let partitions): return try consumer.accept(partitions.map { ($0, 0) })
        case .revoked:
            try consumer.acceptRevocation()
            return []
        default: return nil
        }
    }

    @Test func `the cooperative protocol moves only what moves`() throws {
        try cluster.fill("t", partitions: 2, count: 4)
        let properties = [("partition.assignment.strategy", "cooperative-sticky")]
        let first = try Consumer(cluster.settings("0-a", properties), group: "g", signal: nil)
        let queues = try first.join(["t"])
        let second = try Consumer(cluster.settings("1-b", properties), group: "g", signal: nil)
        try second.subscribe(["t"])
        let (revoked, _) = try first.waitForRevocation()
        #expect(revoked.count == 1)
        try first.acceptRevocation()
        #expect(queues.filter(\.isClosed).map(\.topicPartition) == revoked)
        // The first has to answer an empty assignment before the second is given its part.
        var moved: [PartitionQueue] = []
        let deadline = Clock.monotonicMillis() + 30_000
        while moved.isEmpty, Clock.monotonicMillis() < deadline {
            #expect(try answer(first)?.isEmpty != false)
            moved = try answer(second) ?? []
        }
        #expect(moved.map(\.topicPartition) == revoked)
    }

    @Test func `a partition that is not read does not cost membership`() throws {
        try cluster.fill("t", count: 500)
        let settings = cluster.settings("c", [("max.poll.interval.ms", "4000"), ("queued.min.messages", "100")])
        let consumer = try Consumer(settings, group: "g", signal: nil)
        let queues = try consumer.join(["t"])
        // Longer than the poll interval.
        let end = Clock.monotonicMillis() + 5_000
        while Clock.monotonicMillis() < end {
            let event = consumer.pollEvent(timeoutMillis: 20)
            #expect(event == nil)
        }
        #expect(queues[0].count > 0)
        let records = try consumer.read(queues, until: 500)
        #expect(records.filter { $0.kind == .data }.map(\.offset) == Array(0..<500))
    }

    @Test func `a member that has not polled is told that it has lost its partitions`() throws {
        try cluster.fill("t", count: 1)
        let signal = try EventSignal()
        let consumer = try Consumer(
            cluster.settings("c", [("max.poll.interval.ms", "4000")]),
            group: "g",
            signal: signal
        )
        let queues = try consumer.join(["t"])
        var batch = RecordBatch(capacity: 4)
        var poller = try Poller()
        try poller.add(signal.fileDescriptor, .read, tag: 0)
        // Polls nothing of the consumer until the signal speaks of the loss; records and their end speak first.
        let deadline = Clock.monotonicMillis() + 20_000
        var failure: KafkaError?
        while failure == nil, Clock.monotonicMillis() < deadline {
            guard poller.wait(timeoutMillis: 10_000) > 0 else { break }
            signal.lower()
            guard queues[0].count == 0 || queues[0].take(into: &batch, max: 4) == 0 else {
                while batch.next() != nil {}
                continue
            }
            if case .failed(let error)? = consumer.pollEvent() { failure = error }
        }
        #expect(failure?.code == KafkaError.maxPollExceeded)
        #expect(try consumer.waitForRevocation().lost)
        try consumer.acceptRevocation()
    }

    @Test func `a member that closes hands its partitions over at once`() throws {
        try cluster.fill("t", count: 1)
        let first = try Consumer(cluster.settings("a"), group: "g", signal: nil)
        _ = try first.join(["t"])
        let second = try Consumer(cluster.settings("b"), group: "g", signal: nil)
        try second.subscribe(["t"])
        _ = try first.waitForRevocation()
        first.close(timeoutMillis: 5_000)
        #expect(first.isClosed)
        #expect(try second.waitForAssignment().count == 1)
    }

    @Test func `a last revocation comes while it closes`() throws {
        try cluster.fill("t", count: 1)
        let consumer = try Consumer(cluster.settings("c"), group: "g", signal: nil)
        _ = try consumer.join(["t"])
        consumer.startClosing()
        #expect(!consumer.isClosed)
        let (partitions, lost) = try consumer.waitForRevocation()
        #expect(partitions.count == 1 && !lost)
        let commit = OffsetCommit(topicPartition: partitions[0], offset: 1)
        try consumer.commit([commit])
        _ = try consumer.waitForCommit()
        try consumer.acceptRevocation()
        let deadline = Clock.monotonicMillis() + 5_000
        while !consumer.isClosed, Clock.monotonicMillis() < deadline { _ = consumer.pollEvent(timeoutMillis: 10) }
        #expect(consumer.isClosed)
    }
}
