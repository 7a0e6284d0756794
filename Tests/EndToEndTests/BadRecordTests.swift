import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import Events
import Kafka
import Pipeline
import Testing

/// What others write by mistake: said in the dead letters, and in nobody's way.
@Suite(.blocks, .sharedWorld)
struct BadRecordTests {
    private func deadLetters(_ world: World) throws -> TopicLog<ReadRecord> {
        try TopicLog(world.topics.deadLetters, partitions: World.partitions, world.settings("letters")) {
            ReadRecord($0)
        }
    }

    /// Publishes bad records with good events around each.
    private func publish(
        _ records: [BadRecord],
        _ good: [String],
        _ topic: String,
        _ publisher: Publisher,
        origin: String
    ) throws {
        var messages: [Message] = []
        for (index, event) in good.enumerated() {
            messages.append(Message(key: "good", value: event, partition: 1))
            guard index < records.count else { continue }
            let record = records[index]
            let headers = [("origin", origin)]
            messages.append(Message(key: record.name, bytes: record.value, headers: headers, partition: 1))
        }
        try publisher.publish(messages, to: topic)
    }

    private func check(_ letters: [ReadRecord], _ records: [BadRecord], _ topic: String) throws {
        #expect(letters.count == records.count)
        for record in records {
            let letter = try #require(letters.first { $0.key == record.name }, "\(record.name)")
            #expect(letter.bytes == record.value, "\(record.name)")
            #expect(letter.headers["dlq.topic"] == topic)
            #expect(letter.headers["dlq.partition"] == "1")
            #expect(letter.headers["dlq.code"] == "geopush:\(record.code)", "\(record.name)")
            let message = letter.headers["dlq.message"] ?? ""
            #expect(message.contains(record.path), "\(record.name): \(message)")
        }
        let offsets = letters.compactMap { $0.headers["dlq.offset"].flatMap { Int($0) } }
        #expect(Set(offsets).count == records.count)
    }

    @Test(arguments: ["none", "gzip"])
    func `bad records of places go to the dead letters as they came, and the events between them are sent`(
        codec: String
    ) async throws {
        let world = try SharedWorld.world
        let letters = try deadLetters(world)
        let first = codec == "none" ? 1_000 : 2_000
        let tokens = (0...BadRecord.places.count).map { TestTokens.known(first + $0) }
        let good = tokens.enumerated().map {
            EventJSON.location("\(codec)-\($0)", revision: 1, devices: [EventJSON.device($1)])
        }
        var settings = world.settings("codec")
        settings.set("compression.codec", codec)
        settings.set("message.max.bytes", "4000000")
        let topic = world.topics.locationEvents
        try publish(BadRecord.places, good, topic, try Publisher(settings), origin: codec)

        for index in good.indices { _ = try await world.receipts(ofEvent: "\(codec)-\(index)-1", count: 1) }
        let found = try await letters.wait(for: BadRecord.places.count, "the dead letters") {
            $0.headers["origin"] == codec
        }
        try check(found, BadRecord.places, topic)
        #expect(tokens.allSatisfy { world.answers($0).map(\.status) == [200] })
    }

    @Test func `campaigns that APNs or the app would not take go to the dead letters`() async throws {
        let world = try SharedWorld.world
        let letters = try deadLetters(world)
        let good = (0...BadRecord.campaigns.count).map {
            EventJSON.campaign("good-\($0)", devices: [EventJSON.device(TestTokens.known(3_000 + $0))])
        }
        let topic = world.topics.campaignEvents
        try publish(BadRecord.campaigns, good, topic, world.publisher, origin: "campaigns")

        for index in good.indices { _ = try await world.receipts(ofEvent: "good-\(index)", count: 1) }
        let found = try await letters.wait(for: BadRecord.campaigns.count, "the dead letters") {
            $0.headers["origin"] == "campaigns"
        }
        try check(found, BadRecord.campaigns, topic)
        #expect(world.answers(TestTokens.known(1)).isEmpty)
    }

    @Test func `malformed tokens get their receipts and the others of the event their push`() async throws {
        let world = try SharedWorld.world
        let bad = ["", "0", "abc", "zz", "00 f", "近", String(repeating: "0", count: 514)]
        let good = (4_000...4_003).map { TestTokens.known($0) }
        let devices = (bad + good).enumerated().map { EventJSON.device($1, id: "device-\($0)") }
        let event = EventJSON.location("tokens", revision: 1, devices: devices)
        try world.publisher.publish([Message(key: "tokens", value: event)], to: world.topics.locationEvents)

        let receipts = try await world.receipts(ofEvent: "tokens-1", count: devices.count)
        let rejected = receipts.filter { $0.receipt.status == "rejected" }
        #expect(Set(rejected.map(\.key)) == Set(bad.indices.map { "device-\($0)" }))
        #expect(rejected.allSatisfy { $0.receipt.reason == "geopush:invalid-token" && $0.receipt.attempts == 0 })
        #expect(good.allSatisfy { world.answers($0).map(\.status) == [200] })
    }

    @Test func `a tombstone sends nothing and stops nothing`() async throws {
        let world = try SharedWorld.world
        let event = EventJSON.location("after", revision: 1, devices: [EventJSON.device(TestTokens.known(4_010))])
        let messages = [Message(key: "gone", value: nil), Message(key: "after", value: event)]
        try world.publisher.publish(
            messages.map { message in
                var message = message
                message.partition = 0
                return message
            },
            to: world.topics.locationEvents
        )

        #expect(try await world.receipts(ofEvent: "after-1", count: 1)[0].receipt.status == "accepted")
        #expect(!(try await deadLetters(world).readToEnd()).contains { $0.key == "gone" })
    }
}
