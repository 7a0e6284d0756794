import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import EventLoop
import Events
import Pipeline
import Testing

/// From an event to its receipts.
@Suite(.blocks, .sharedWorld)
struct EventTests {
    @Test func `an event that names three devices gives each its own receipt`() async throws {
        let world = try SharedWorld.world
        let tokens = [TestTokens.known(1), TestTokens.gone(1), TestTokens.unknown(1)]
        let devices = zip(tokens, ["phone-1", "phone-2", "phone-3"]).map { EventJSON.device($0, id: $1) }
        let event = EventJSON.location("roppongi", revision: 7, devices: devices)
        try world.publisher.publish([Message(key: "roppongi", value: event)], to: world.topics.locationEvents)

        let receipts = try await world.receipts(ofEvent: "roppongi-7", count: 3).sorted { $0.key < $1.key }
        #expect(receipts.map(\.key) == ["phone-1", "phone-2", "phone-3"])
        #expect(receipts.map(\.receipt.status) == ["accepted", "unregistered", "rejected"])
        #expect(receipts.map(\.receipt.reason) == [nil, "Unregistered", "BadDeviceToken"])
        #expect(receipts.map(\.receipt.httpStatus) == [200, 410, 400])
        #expect(receipts.map(\.receipt.attempts) == [1, 1, 1])
        #expect(receipts.map(\.receipt.token) == tokens)
        #expect(receipts.map(\.receipt.unregisteredAt) == [nil, Timestamp.rfc3339(millis: World.goneAtMillis), nil])
        #expect(receipts.allSatisfy { $0.receipt.locationID == "roppongi" && $0.receipt.app == "shop" })
    }

    @Test func `APNs gets the headers and the body of the contract`() async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(2)
        let event = EventJSON.location(
            "ginza",
            revision: 42,
            devices: [EventJSON.device(token.uppercased())],
            more: #","expiresAt":"2033-05-18T03:33:20Z""#
        )
        try world.publisher.publish([Message(key: "ginza", value: event)], to: world.topics.locationEvents)

        _ = try await world.receipts(ofEvent: "ginza-42", count: 1)
        let request = try #require(world.answers(token).first)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"aps":{"content-available":1},"locationId":"ginza","geopush":{"v":1,"revision":42}}"#
        )
        #expect(
            request.headers.filter { $0.key.hasPrefix("apns-") } == [
                "apns-topic": World.appTopic, "apns-push-type": "background", "apns-priority": "5",
                "apns-expiration": "2000000000", "apns-collapse-id": "ginza",
                // UUID version 5 of "/stores|ginza-42|" and the token, made with another program.
                "apns-id": "0ea8e4a2-9311-5dbb-854b-06d2687fbd50",
            ]
        )
        #expect(request.teamID == "TEAMIDENT1" && request.keyID == "KEYIDENT01")
    }

    @Test func `the phones of a place that is gone are told to forget it, by an event in headers`() async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(21)
        let data =
            #"{"locationId":"近","revision":9,"app":"shop","audience":{"devices":[\#(EventJSON.device(token))]}}"#
        let headers = [
            ("ce_specversion", "1.0"), ("ce_type", "location.deleted"), ("ce_source", "/stores"), ("ce_id", "gone-9"),
            ("content-type", "application/json"),
        ]
        try world.publisher.publish(
            [Message(key: "近", value: data, headers: headers)],
            to: world.topics.locationEvents
        )

        #expect(try await world.receipts(ofEvent: "gone-9", count: 1)[0].receipt.status == "accepted")
        let request = try #require(world.answers(token).first)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"aps":{"content-available":1},"geopush":{"v":1,"revision":9,"remove":["近"]}}"#
        )
        #expect(request.headers["apns-push-type"] == "background" && request.headers["apns-priority"] == "5")
        #expect(request.headers["apns-collapse-id"]?.utf8.count == 43)
    }

    @Test func `a campaign with an alert is a visible push, of bare data too`() async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(22)
        let data =
            #"{"campaignId":"fair","locationIds":["a","b"],"app":"shop","alert":"近くでセール開催中！","sound":"default","#
            + #""audience":{"devices":[\#(EventJSON.device(token, id: "phone-fair"))]}}"#
        try world.publisher.publish([Message(key: "fair", value: data)], to: world.topics.campaignEvents)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "accepted" && receipt.campaignID == "fair" && receipt.locationID == "a")
        let request = try #require(world.answers(token).first)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"aps":{"alert":"近くでセール開催中！","sound":"default"},"locationId":"a","#
                + #""locationIds":["a","b"],"campaignId":"fair"}"#
        )
        #expect(request.headers["apns-push-type"] == "alert" && request.headers["apns-priority"] == "10")
        #expect(request.headers["apns-collapse-id"] == "fair")
    }

    @Test func `a dead token is told to the teams`() async throws {
        let world = try SharedWorld.world
        let records = try TopicLog(world.topics.unregistered, partitions: World.partitions, world.settings("test")) {
            ReadRecord($0)
        }
        let token = TestTokens.gone(2)
        let event = EventJSON.location("ueno", revision: 1, devices: [EventJSON.device(token, id: "phone-gone")])
        try world.publisher.publish([Message(key: "ueno", value: event)], to: world.topics.locationEvents)

        let record = try await records.wait(for: 1, "the dead token") { $0.key == "phone-gone" }[0]
        let time = Timestamp.rfc3339(millis: World.goneAtMillis)
        #expect(
            record.value
                == #"{"token":"\#(token)","app":"shop","environment":"production","unregisteredAt":"\#(time)"}"#
        )
    }

    @Test(arguments: [(3, "99"), (4, "-7"), (5, "9223372036854775807"), (6, "x")])
    func `a dead token is told whatever its record says of partition and app`(
        number: Int,
        partition: String
    ) async throws {
        let world = try SharedWorld.world
        let records = try TopicLog(world.topics.unregistered, partitions: World.partitions, world.settings("test")) {
            ReadRecord($0)
        }
        let token = TestTokens.gone(number)
        let push = Pushes.silent(token, headers: [("device-partition", partition)])
        try world.publisher.publish([push], to: world.topics.pushes)

        let record = try await records.wait(for: 1, "the dead token") { $0.key == token }[0]
        #expect(record.value?.hasPrefix(#"{"token":"\#(token)","app":"shop","environment":"production","#) == true)
    }

    @Test func `a token that stands twice in an event is one push`() async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(3)
        let devices = [token, TestTokens.known(4), token.uppercased()].map { EventJSON.device($0) }
        let event = EventJSON.location("shibuya", revision: 1, devices: devices)
        try world.publisher.publish([Message(key: "shibuya", value: event)], to: world.topics.locationEvents)

        _ = try await world.receipts(ofEvent: "shibuya-1", count: 2)
        let all = try await world.settle().filter { $0.receipt.eventID == "shibuya-1" }
        #expect(all.count == 2)
        #expect(world.answers(token).count == 1)
    }

    @Test func `a malformed token is rejected and stops nobody else`() async throws {
        let world = try SharedWorld.world
        let devices = [EventJSON.device("../x?y", id: "phone-bad"), EventJSON.device(TestTokens.known(5))]
        let event = EventJSON.location("meguro", revision: 1, devices: devices)
        try world.publisher.publish([Message(key: "meguro", value: event)], to: world.topics.locationEvents)

        let receipts = try await world.receipts(ofEvent: "meguro-1", count: 2)
        let bad = try #require(receipts.first { $0.key == "phone-bad" }).receipt
        #expect(bad.status == "rejected")
        #expect(bad.reason == "geopush:invalid-token")
        #expect(bad.attempts == 0)
        #expect(receipts.contains { $0.receipt.token == TestTokens.known(5) && $0.receipt.status == "accepted" })
    }

    @Test func `a malformed event goes to the dead letters as it came`() async throws {
        let world = try SharedWorld.world
        let letters = try TopicLog(world.topics.deadLetters, partitions: World.partitions, world.settings("test")) {
            ReadRecord($0)
        }
        let event = EventJSON.location(
            "akasaka",
            revision: 1,
            devices: [EventJSON.device(TestTokens.known(6))],
            more: #","notifyOnExit":"yes""#
        )
        let message = Message(key: "akasaka", value: event, headers: [("trace", "kept")], partition: 1)
        try world.publisher.publish([message], to: world.topics.locationEvents)

        let letter = try await letters.wait(for: 1, "the dead letter") { $0.key == "akasaka" }[0]
        #expect(letter.value == event)
        #expect(letter.headers["trace"] == "kept")
        #expect(letter.headers["dlq.topic"] == world.topics.locationEvents)
        #expect(letter.headers["dlq.partition"] == "1")
        #expect(letter.headers["dlq.offset"].flatMap { Int($0) } != nil)
        #expect(letter.headers["dlq.code"] == "geopush:wrong-type")
        #expect(letter.headers["dlq.message"]?.contains("$.data.notifyOnExit") == true, "\(letter.headers)")
        #expect(world.answers(TestTokens.known(6)).isEmpty)
    }

    @Test func `an event that has expired gets one receipt and no request`() async throws {
        let world = try SharedWorld.world
        let event = EventJSON.campaign(
            "spring",
            devices: [TestTokens.known(7), TestTokens.known(8)].map { EventJSON.device($0) },
            more: #","expiresAt":"2020-01-01T00:00:00Z""#
        )
        try world.publisher.publish([Message(key: "spring", value: event)], to: world.topics.campaignEvents)

        let receipt = try await world.receipts(ofEvent: "spring", count: 1)[0]
        #expect(receipt.key == "spring")
        #expect(receipt.receipt.status == "expired")
        #expect(receipt.receipt.token == nil)
        #expect(world.answers(TestTokens.known(7)).isEmpty && world.answers(TestTokens.known(8)).isEmpty)
    }

    @Test func `an event for ten thousand devices gives ten thousand receipts`() async throws {
        let world = try SharedWorld.world
        let tokens = (10_001...20_000).map(TestTokens.known)
        let event = EventJSON.campaign("winter", devices: tokens.map { EventJSON.device($0) })
        try world.publisher.publish([Message(key: "winter", value: event)], to: world.topics.campaignEvents)

        let receipts = try await world.receipts(ofEvent: "winter", count: 10_000, seconds: 60)
        #expect(receipts.allSatisfy { $0.receipt.status == "accepted" && $0.receipt.campaignID == "winter" })
        #expect(Set(receipts.map(\.key)) == Set(tokens))
    }
}
