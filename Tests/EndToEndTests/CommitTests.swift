import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import EventLoop
import Events
import Kafka
import Pipeline
import Testing

/// What is committed, and when.
@Suite(.blocks)
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
        // On one thread, so that no other test can come between and let it finish.
        await offPool {
            _ = world.simulator.wait(requests: count / 8, timeoutMillis: 120_000)
            first.stopNow()
        }
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

    @Test(arguments: [[16, 16, 16, 16], [15, 15, 15, 15], [-1, 22, 25, 3], [-195, 14, 88, 7]] as [[Int32]])
    func `a coordinator that does not know where the group stands is asked again`(errors: [Int32]) async throws {
        let world = try World()
        try world.simulator.start()
        // As many as both stages need to fail at their first questions.
        world.cluster.pushErrors(.offsetFetch, errors + errors)
        let worker = try world.startWorker()
        let devices = (1...5).map { EventJSON.device(TestTokens.known($0)) }
        let event = EventJSON.location("kanda", revision: 1, devices: devices)
        try world.publisher.publish([Message(key: "kanda", value: event)], to: world.topics.locationEvents)
        _ = try await world.receipts.wait(for: 5, "receipts")
        #expect(try await world.settle().count == 5)
        #expect(world.simulator.summary().requests == 5)
        await worker.stop()
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

    @Test func `a push of a later version holds what follows it in its partition`() async throws {
        let world = try World()
        try world.simulator.start()
        let tokens = (1...3).map(TestTokens.known)
        let messages = [
            Pushes.silent(tokens[0], headers: [("geopush-version", "2")]), Pushes.silent(tokens[1]),
            Pushes.silent(tokens[2], partition: 1),
        ]
        try world.publisher.publish(messages, to: world.topics.pushes)
        let worker = try world.startWorker([.delivery])

        _ = try await world.receipts(ofToken: tokens[2], count: 1)
        await worker.stop()
        #expect(world.answers(tokens[1]).isEmpty)
        #expect(try await world.receipts.readToEnd().count == 1)
    }

    @Test func `a refused record of a dead token is written again to the partition of its device`() async throws {
        let world = try World { options in
            options.faults = [
                FaultRule { _, then in
                    then.reason = "Unregistered"
                    then.status = 410
                }
            ]
        }
        try world.simulator.start()
        let tokens = (1...10).map(TestTokens.known)
        let messages = tokens.map { Pushes.silent($0, headers: [("device-partition", "1")]) }
        try world.publisher.publish(messages, to: world.topics.pushes)
        let records = try TopicLog(world.topics.unregistered, partitions: World.partitions, world.settings("test")) {
            ReadRecord($0)
        }
        world.cluster.pushErrors(.produce, [29, 29, 29, 29])
        let worker = try world.startWorker([.delivery])

        let receipts = try await world.receipts.wait(for: tokens.count, "receipts")
        #expect(receipts.allSatisfy { $0.receipt.status == "unregistered" })
        let dead = try await records.wait(for: tokens.count, "dead tokens")
        #expect(Set(dead.map(\.key)) == Set(tokens))
        #expect(dead.allSatisfy { $0.partition == 1 })
        await worker.stop()
    }

    @Test(arguments: [Int64.max, -1, 253_402_300_800_000])
    func `a token is dead since its push where APNs names no possible time`(timestamp: Int64) async throws {
        let world = try World { options in
            options.faults = [
                FaultRule { _, then in
                    then.reason = "Unregistered"
                    then.status = 410
                    then.timestamp = timestamp
                }
            ]
        }
        try world.simulator.start()
        try world.publisher.publish([Pushes.silent(TestTokens.known(1))], to: world.topics.pushes)
        let worker = try world.startWorker([.delivery])

        let receipt = try await world.receipts.wait(for: 1, "the receipt")[0].receipt
        #expect(receipt.status == "unregistered")
        #expect(receipt.unregisteredAt == receipt.sentAt)
        await worker.stop()
    }
}
