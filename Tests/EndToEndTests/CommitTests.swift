import APNsSimulator
import EndToEndSupport
import EventLoop
import Events
import Kafka
import Pipeline
import Testing

/// What is committed, and when.
struct CommitTests {
    @Test func `a stop and a restart lose nothing and double nothing`() async throws {
        let count = 400
        let world = try World { options in
            options.faults = [FaultRule { _, then in then.delayMillis = 100 }]
        }
        try world.simulator.start()
        let messages = (1...count).map { Pushes.silent(TestTokens.known($0), partition: -1) }
        try world.publisher.publish(messages, to: world.topics.pushes)
        let first = try world.startWorker([.delivery], inFlight: 10)
        try await world.waitForRequests(count / 8)
        await first.stop()
        let requestsBefore = world.simulator.summary().requests
        #expect(requestsBefore < count)

        // What was sent is receipted, and what is receipted is committed.
        let receiptsBefore = try await world.receipts.readToEnd().count
        #expect(receiptsBefore == requestsBefore)
        let positions = try Positions(world.settings("test"), group: "geopush.delivery")
        let commits = try positions.commits(in: world.topics.pushes, partitions: World.partitions)
        let finished = commits.map { max(0, $0.offset) + Int64(FinishedRuns.finishedCount(inMetadata: $0.metadata)) }
        #expect(finished.reduce(0, +) == receiptsBefore)

        let second = try world.startWorker([.delivery])
        _ = try await world.receipts.wait(for: count, "receipts")
        let receipts = try await world.settle()
        #expect(receipts.count == count)
        #expect(Set(receipts.map(\.key)).count == count)
        #expect(world.simulator.summary().requests == count)
        await second.stop()
    }

    @Test func `a receipt that Kafka refuses is written again, and nothing is committed before`() async throws {
        let count = 50
        let world = try World()
        try world.simulator.start()
        let messages = (1...count).map { Pushes.silent(TestTokens.known($0)) }
        try world.publisher.publish(messages, to: world.topics.pushes)
        // From here on only receipts are produced.
        world.cluster.pushErrors(.produce, [29, 29])
        let worker = try world.startWorker([.delivery])

        let positions = try Positions(world.settings("test"), group: "geopush.delivery")
        try await eventually("all is committed", state: { "\(world.receipts.count) receipts" }) {
            let committed = try positions.committed(in: world.topics.pushes, partitions: World.partitions)[0]
            // Asked after the commit: every receipt that it stands for is there by now.
            let receipts = try positions.ends(of: world.topics.receipts, partitions: World.partitions).reduce(0, +)
            #expect(committed <= receipts)
            return committed >= count
        }
        let receipts = try await world.receipts.readToEnd()
        #expect(Set(receipts.map(\.key)).count == count)
        #expect(world.simulator.summary().requests == count)
        await worker.stop()
    }
}
