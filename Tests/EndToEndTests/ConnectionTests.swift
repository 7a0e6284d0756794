import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import Events
import HTTP2
import Pipeline
import Testing

/// What a worker does when connections to APNs behave as Apple's do.
@Suite(.blocks)
struct ConnectionTests {
    @Test func `no stream is opened beyond the limit, which is one until the first good answer`() async throws {
        let count = 50
        let world = try World { options in
            options.faults = [
                FaultRule { match, then in
                    match.count = 1
                    then.delayMillis = 200
                }
            ]
        }
        try world.simulator.start()
        let messages = (1...count).map { Pushes.silent(TestTokens.known($0)) }
        try world.publisher.publish(messages, to: world.topics.pushes)
        let worker = try world.startWorker([.delivery])

        _ = try await world.receipts.wait(for: count, "receipts")
        let summary = world.simulator.summary()
        // A stream beyond the limit would have been refused, and counted as a request.
        #expect(summary.requests == count)
        #expect(summary.accepted == count)
        #expect(summary.connections == 1)
        #expect(world.simulator.answers().first?.stream == 1)
        await worker.stop()
    }

    @Test func `a GOAWAY in the midst of a batch loses nothing and doubles nothing`() async throws {
        let count = 400
        let world = try World { options in
            options.faults = [
                FaultRule { match, then in
                    match.token = TestTokens.known(150)
                    match.count = 1
                    then.goaway = FaultRule.GoAway(unanswered: 20, reason: "Shutdown")
                },
                FaultRule { _, then in then.delayMillis = 100 },
            ]
        }
        try world.simulator.start()
        let messages = (1...count).map { Pushes.silent(TestTokens.known($0), partition: -1) }
        try world.publisher.publish(messages, to: world.topics.pushes)
        let worker = try world.startWorker([.delivery])

        _ = try await world.receipts.wait(for: count, "receipts")
        let receipts = try await world.settle()
        #expect(receipts.count == count)
        #expect(receipts.allSatisfy { $0.receipt.status == "accepted" })
        let summary = world.simulator.summary()
        #expect(summary.connections > 1)
        #expect(summary.accepted == count)
        #expect(summary.distinctApnsIDs == count)
        await worker.stop()
    }

    @Test func `a connection that dies has its pushes sent again with the same id`() async throws {
        let count = 100
        let world = try World { options in
            options.faults = [
                FaultRule { match, then in
                    match.token = TestTokens.known(50)
                    match.count = 1
                    then.close = true
                }
            ]
        }
        try world.simulator.start()
        let messages = (1...count).map { Pushes.silent(TestTokens.known($0)) }
        try world.publisher.publish(messages, to: world.topics.pushes)
        let worker = try world.startWorker([.delivery])

        _ = try await world.receipts.wait(for: count, "receipts")
        let receipts = try await world.settle()
        #expect(receipts.count == count)
        #expect(receipts.allSatisfy { $0.receipt.status == "accepted" })
        #expect(world.simulator.summary().distinctApnsIDs == count)
        await worker.stop()
    }

    @Test func `a worker is not ready before APNs can be reached, and then is`() async throws {
        let world = try World()
        let port = try ReservedPort()
        let pushes = try TopicLog(world.topics.pushes, partitions: World.partitions, world.settings("test")) {
            ReadRecord($0)
        }
        let worker = try world.startWorker(apnsPort: port.number)
        let event = EventJSON.location("kanda", revision: 1, devices: [EventJSON.device(TestTokens.known(1))])
        try world.publisher.publish([Message(key: "kanda", value: event)], to: world.topics.locationEvents)
        _ = try await pushes.wait(for: 1, "a push")
        #expect(!worker.isReady)

        var options = SimulatorOptions()
        options.listen = ListenAddress(host: "127.0.0.1", port: port.number)
        options.tlsDirectory = world.folder.file("tls")
        let late = try APNsSimulator(options)
        try late.start()
        try await worker.ready()
        let receipt = try await world.receipts(ofEvent: "kanda-1", count: 1)[0].receipt
        #expect(receipt.status == "accepted")
        await worker.stop()
        late.stop()
    }

    @Test func `a silent APNs does not keep a push for ever`() async throws {
        let world = try World { options in
            options.faults = [
                FaultRule { match, then in
                    match.count = 1
                    then.blackHole = true
                }
            ]
        }
        try world.simulator.start()
        try world.publisher.publish([Pushes.silent(TestTokens.known(1))], to: world.topics.pushes)
        let worker = try world.startWorker([.delivery], requestTimeoutSeconds: 1)

        let receipt = try await world.receipts.wait(for: 1, "the receipt")[0].receipt
        #expect(receipt.status == "accepted")
        #expect(world.simulator.summary().connections > 1)
        await worker.stop()
    }
}
