import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import EventLoop
import Events
import FoundationEssentials
import Pipeline
import Testing

/// From a finished push of another team to its receipt.
@Suite(.blocks, .sharedWorld)
struct PushTests {
    @Test func `both forms of a push record give the same request`() async throws {
        let world = try SharedWorld.world
        let fields = [
            ("apns-topic", World.appTopic), ("apns-push-type", "background"), ("apns-priority", "5"),
            ("apns-expiration", "2000000000"), ("apns-collapse-id", "place-1"),
            ("apns-id", "0c6c6d0e-4b0f-4a6e-9f0a-0d8f4e0a9b01"), ("app", "shop"), ("environment", "production"),
            ("event-id", "forms"), ("location-id", "place-1"), ("device-id", "phone-forms"), ("geopush-version", "1"),
        ]
        let token = TestTokens.known(101)
        let lines = fields.map { "\($0): \($1)\n" }.joined()
        let messages = [
            Message(key: token, value: Pushes.body(1), headers: fields),
            Message(key: token, value: Pushes.body(1), headers: [("push", lines)]),
        ]
        try world.publisher.publish(messages, to: world.topics.pushes)

        let receipts = try await world.receipts(ofEvent: "forms", count: 2)
        #expect(receipts.allSatisfy { $0.receipt.status == "accepted" && $0.key == "phone-forms" })
        let requests = world.answers(token)
        try #require(requests.count == 2)
        #expect(requests[0].headers == requests[1].headers)
        #expect(requests[0].body == requests[1].body)
        #expect(requests[0].headers["apns-collapse-id"] == "place-1")
        #expect(String(decoding: requests[0].body, as: UTF8.self) == Pushes.body(1))
    }

    @Test func `a push needs a topic and a body only`() async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(102)
        let before = Clock.wallMillis() / 1_000
        let message = Message(key: token, value: Pushes.body(2), headers: [("apns-topic", World.appTopic)])
        try world.publisher.publish([message], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "accepted")
        #expect(receipt.app == "shop")
        #expect(receipt.eventID?.hasPrefix("\(world.topics.pushes)/") == true)
        let headers = try #require(world.answers(token).first).headers
        #expect(headers["apns-push-type"] == "background")
        #expect(headers["apns-priority"] == "5")
        #expect(headers["apns-id"] == receipt.apnsID)
        let expiration = try #require(headers["apns-expiration"].flatMap { Int64($0) })
        #expect(expiration >= before + 3_600 && expiration <= Clock.wallMillis() / 1_000 + 3_600)
    }

    @Test(arguments: [
        (201, "app", "bakery", "geopush:unknown-app"),
        (202, "apns-topic", "com.example.bakery", "geopush:unknown-app"),
        (203, "apns-priority", "7", "geopush:invalid-priority"),
        (204, "apns-expiration", "soon", "geopush:invalid-expiration"),
        (205, "apns-id", "1", "geopush:invalid-apns-id"),
        (206, "apns-push-type", "loud", "geopush:invalid-push-type"),
        (207, "apns-collapse-id", String(repeating: "x", count: 65), "geopush:invalid-collapse-id"),
        (208, "environment", "moon", "geopush:invalid-environment"),
        (209, "geopush-version", "one", "geopush:invalid-version"),
        (210, "geopush-version", "0", "geopush:invalid-version"),
        (211, "geopush-version", "99999999999999999999", "geopush:invalid-version"),
        (212, "apns-topic", "", "geopush:invalid-topic"),
        (213, "apns-topic", "com.example shop", "geopush:invalid-topic"),
        (214, "apns-priority", "10", "geopush:invalid-priority"),
        (215, "apns-expiration", "1796117400000", "geopush:invalid-expiration"),
    ])
    func `a push with a malformed header is rejected without a request`(
        number: Int,
        name: String,
        value: String,
        reason: String
    ) async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(number)
        try world.publisher.publish([Pushes.silent(token, headers: [(name, value)])], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "rejected")
        #expect(receipt.reason == reason)
        #expect(receipt.attempts == 0)
        #expect(world.answers(token).isEmpty)
    }

    @Test(arguments: ["../admin", "abc", "00fg"])
    func `a push whose key is no token is rejected without a request`(token: String) async throws {
        let world = try SharedWorld.world
        try world.publisher.publish([Pushes.silent(token)], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "rejected")
        #expect(receipt.reason == "geopush:invalid-token")
        #expect(world.answers(token).isEmpty)
    }

    @Test(arguments: [(221, 0, "geopush:payload-empty"), (222, 4_097, "geopush:payload-too-large"), (223, 4_096, nil)])
    func `a push whose body APNs would not take is rejected without a request`(
        number: Int,
        bytes: Int,
        reason: String?
    ) async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(number)
        var push = Pushes.silent(token)
        push.value = Array(Pushes.body(1).utf8.prefix(bytes))
        push.value?.append(
            contentsOf: [UInt8](repeating: UInt8(ascii: " "), count: max(0, bytes - Pushes.body(1).utf8.count))
        )
        try world.publisher.publish([push], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.reason == reason)
        #expect(receipt.status == (reason == nil ? "accepted" : "rejected"))
        #expect(world.answers(token).count == (reason == nil ? 1 : 0))
    }

    @Test func `a push that has expired gets a receipt and no request`() async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(103)
        let message = Pushes.silent(token, headers: [("apns-expiration", "1600000000")])
        try world.publisher.publish([message], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "expired")
        #expect(receipt.reason == "geopush:expired")
        #expect(receipt.attempts == 0)
        #expect(world.answers(token).isEmpty)
    }

    @Test(arguments: [(111, Int64.max), (112, 4_102_444_800_000)])
    func `a push that says it was queued in the future is sent`(number: Int, queuedAtMillis: Int64) async throws {
        let world = try SharedWorld.world
        let token = TestTokens.known(number)
        let headers = [("apns-expiration", "0"), ("queued-at", "\(queuedAtMillis)")]
        try world.publisher.publish([Pushes.silent(token, headers: headers)], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "accepted")
    }

    @Test func `a newline in a header of its own adds no field to the push`() async throws {
        let world = try SharedWorld.world
        let slow = ScriptedToken.slowTwice.rawValue
        let event = "lines\napns-topic: not a topic"
        let id = "0c6c6d0e-4b0f-4a6e-9f0a-0d8f4e0a9b0"
        // With an id of its own nothing is added to the record, and the second waits for the answer of the first.
        let messages = (1...2).map { number in
            Pushes.silent(slow, number: number, headers: [("apns-id", "\(id)\(number)"), ("event-id", event)])
        }
        let bare = Message(
            key: TestTokens.known(113),
            value: Pushes.body(1),
            headers: [("apns-topic", World.appTopic), ("event-id", event)]
        )
        try world.publisher.publish(messages + [bare], to: world.topics.pushes)

        let receipts = try await world.receipts(ofEvent: event, count: 3)
        #expect(receipts.allSatisfy { $0.receipt.status == "accepted" && $0.receipt.attempts == 1 })
    }

    @Test func `the pushes of a token keep their order behind a slow answer`() async throws {
        let world = try SharedWorld.world
        let slow = ScriptedToken.slowOnce.rawValue
        let other = TestTokens.known(104)
        let messages = [
            Pushes.silent(slow, number: 1), Pushes.silent(slow, number: 2), Pushes.silent(other, number: 1),
            Pushes.silent(slow, number: 3),
        ]
        try world.publisher.publish(messages, to: world.topics.pushes)

        _ = try await world.receipts(ofToken: slow, count: 3)
        let answers = world.simulator.answers().filter { [slow, other].contains($0.token) }
        #expect(answers.map(\.token) == [other, slow, slow, slow])
        #expect(
            answers.dropFirst().map { String(decoding: $0.body, as: UTF8.self) } == (1...3).map { Pushes.body($0) }
        )
    }

    @Test func `a busy APNs is asked again after the time that it names`() async throws {
        let world = try SharedWorld.world
        let token = ScriptedToken.busyOnce.rawValue
        try world.publisher.publish([Pushes.silent(token)], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "accepted")
        #expect(receipt.attempts == 2)
        let answers = world.answers(token)
        #expect(answers.map(\.status) == [503, 200])
        #expect(Set(answers.map { $0.headers["apns-id"] }).count == 1)
        let pause = try milliseconds(receipt.sentAt) - milliseconds(receipt.queuedAt)
        #expect(pause >= 1_000)
    }

    @Test func `too many requests for a token delay that token only`() async throws {
        let world = try SharedWorld.world
        let throttled = ScriptedToken.throttledOnce.rawValue
        let other = TestTokens.known(105)
        let messages = [
            Pushes.silent(throttled, number: 1), Pushes.silent(throttled, number: 2), Pushes.silent(other, number: 1),
        ]
        try world.publisher.publish(messages, to: world.topics.pushes)

        let receipts = try await world.receipts(ofToken: throttled, count: 2)
        #expect(receipts.map(\.receipt.attempts) == [2, 1])
        let answers = world.simulator.answers().filter { [throttled, other].contains($0.token) }
        #expect(answers.map(\.status) == [429, 200, 200, 200])
        #expect(answers.map(\.token) == [throttled, other, throttled, throttled])
    }

    @Test func `a refused stream is sent again at once`() async throws {
        let world = try SharedWorld.world
        let token = ScriptedToken.refusedTwice.rawValue
        try world.publisher.publish([Pushes.silent(token)], to: world.topics.pushes)

        let receipt = try await world.receipts(ofToken: token, count: 1)[0].receipt
        #expect(receipt.status == "accepted")
        #expect(world.answers(token).map(\.status) == [200])
    }

    private func milliseconds(_ time: String?) throws -> Int64 {
        let date = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(#require(time))
        return Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }
}
