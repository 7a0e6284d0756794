import Cryptography
import Testing

@testable import APNsSimulator

struct RequestJudgeTests {
    private let request: TestRequest
    private let judge: RequestJudge

    init() throws {
        let token = TestToken(iat: TestRequest.wallMillis / 1000 - 60)
        request = TestRequest(token: try token.signed(by: P256.SigningKey()))
        judge = try RequestJudge(SimulatorOptions())
    }

    private func expect(
        _ request: TestRequest,
        _ rejection: Rejection,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(request.verdict(judge) == .rejected(rejection), sourceLocation: location)
    }

    @Test func `accepts a silent push`() {
        #expect(request.verdict(judge) == .accepted)
    }

    @Test func `accepts a request without the fields that may be left out`() {
        var bare = request.with("apns-push-type", nil).with("apns-priority", nil)
        for name in ["apns-expiration", "apns-collapse-id", "apns-id"] { bare[name] = nil }
        #expect(bare.verdict(judge) == .accepted)
    }

    @Test(arguments: ["authorization", "apns-topic", "apns-id", "apns-priority"])
    func `refuses a field that stands twice`(name: String) {
        var doubled = request
        doubled.fields.append((name, request[name] ?? ""))
        expect(doubled, .duplicateHeaders)
    }

    @Test func `takes fields twice that it does not know`() {
        var doubled = request
        doubled.fields += [("x-trace", "1"), ("x-trace", "1")]
        #expect(doubled.verdict(judge) == .accepted)
    }

    @Test(arguments: ["GET", "PUT", "post", "CONNECT"])
    func `refuses another method`(method: String) {
        expect(request.with(":method", method), .methodNotAllowed)
    }

    @Test(arguments: ["/", "/3/devices/ab", "/3/deviceab", "/2/device/ab", "/3/dev", "*"])
    func `refuses another path`(path: String) {
        expect(request.with(":path", path), .badPath)
    }

    @Test(arguments: ["/3/device/", "/3/device"])
    func `refuses a path without a device token`(path: String) {
        expect(request.with(":path", path), .missingDeviceToken)
    }

    @Test(arguments: [nil, "", "bearer", "bearer ", "basic abc", "bearer\tabc"])
    func `refuses a request without a provider token`(value: String?) {
        expect(request.with("authorization", value), .missingProviderToken)
    }

    @Test(arguments: [nil, ""])
    func `refuses a missing topic`(value: String?) {
        expect(request.with("apns-topic", value), .missingTopic)
    }

    @Test(arguments: ["com example", "com/example", "\u{e9}", String(repeating: "a", count: 256)])
    func `refuses a malformed topic`(value: String) {
        expect(request.with("apns-topic", value), .badTopic)
    }

    @Test(
        arguments: [
            ("location", "com.example.app"), ("voip", "com.example.app"), ("background", "com.example.app.voip"),
            ("liveactivity", "com.example.app.voip"), ("alert", "com.example.app.location-query"),
        ]
    )
    func `refuses a topic without the suffix of its push type`(type: String, topic: String) {
        let wrong = request.with("apns-push-type", type).with("apns-topic", topic).with("apns-priority", "5")
        expect(wrong, .topicDisallowed)
    }

    @Test(arguments: PushType.allCases)
    func `accepts each push type with its suffix`(type: PushType) {
        let fine = request.with("apns-push-type", "\(type.name)").with("apns-topic", "com.example\(type.topicSuffix)")
        #expect(fine.verdict(judge) == .accepted)
    }

    @Test(arguments: ["", "Background", "silent"])
    func `refuses an unknown push type`(value: String) {
        expect(request.with("apns-push-type", value), .invalidPushType)
    }

    @Test(arguments: ["", "0", "2", "05", "11", "high"])
    func `refuses another priority`(value: String) {
        expect(request.with("apns-priority", value), .badPriority)
    }

    @Test(arguments: [nil, "10"])
    func `refuses a background push at priority 10, which is also the default`(value: String?) {
        expect(request.with("apns-priority", value), .badPriority)
    }

    @Test(arguments: ["", "-1", "1.5", "soon", "1800000000000000000000"])
    func `refuses an expiration that is no time`(value: String) {
        expect(request.with("apns-expiration", value), .badExpirationDate)
    }

    @Test(arguments: ["0", "1", "1800000600"])
    func `accepts an expiration in seconds`(value: String) {
        #expect(request.with("apns-expiration", value).verdict(judge) == .accepted)
    }

    @Test func `refuses a collapse id of 65 bytes and takes one of 64`() {
        expect(request.with("apns-collapse-id", String(repeating: "c", count: 65)), .badCollapseID)
        let longest = request.with("apns-collapse-id", String(repeating: "c", count: 64))
        #expect(longest.verdict(judge) == .accepted)
    }

    @Test(arguments: ["", "1-1-1-1-1", "3e8ed0f66a2c5f6d9a522e2b1f8f9a11", "3e8ed0f6-6a2c-5f6d-9a52-2e2b1f8f9a1g"])
    func `refuses an id that is no UUID`(value: String) {
        expect(request.with("apns-id", value), .badMessageID)
    }

    @Test func `takes an id in upper case`() {
        #expect(request.with("apns-id", "3E8ED0F6-6A2C-5F6D-9A52-2E2B1F8F9A11").verdict(judge) == .accepted)
    }

    @Test func `refuses an empty payload`() {
        expect(request.with(body: ""), .payloadEmpty)
    }

    @Test func `refuses 4097 bytes and takes 4096`() {
        expect(request.with(body: String(repeating: "x", count: 4097)), .payloadTooLarge)
        #expect(request.with(body: String(repeating: "x", count: 4096)).verdict(judge) == .accepted)
    }

    @Test func `allows voip pushes 5120 bytes`() {
        let voip = request.with("apns-push-type", "voip").with("apns-topic", "com.example.app.voip")
        #expect(voip.with(body: String(repeating: "x", count: 5120)).verdict(judge) == .accepted)
        expect(voip.with(body: String(repeating: "x", count: 5121)), .payloadTooLarge)
    }

    @Test(arguments: ["abc", "zz", "ab/cd", "../x?y", String(repeating: "ab", count: 201)])
    func `refuses a malformed device token`(token: String) {
        expect(request.with(":path", "/3/device/\(token)"), .badDeviceToken)
    }

    @Test(arguments: ["ab", "ABCDEF", String(repeating: "0f", count: 100)])
    func `does not count on the length of a device token`(token: String) {
        #expect(request.with(":path", "/3/device/\(token)").verdict(judge) == .accepted)
    }

    @Test func `looks at the provider token before the device`() {
        let both = request.with("authorization", "bearer junk").with(":path", "/3/device/zz")
        expect(both, .invalidProviderToken)
    }

    @Test func `allows only the apps that it was told`() throws {
        var options = SimulatorOptions()
        options.apps = ["com.example.app"]
        let strict = try RequestJudge(options)
        #expect(request.verdict(strict) == .accepted)
        #expect(request.with("apns-topic", "com.example.other").verdict(strict) == .rejected(.topicDisallowed))
        let query = request.with("apns-push-type", "location").with("apns-topic", "com.example.app.location-query")
        #expect(query.verdict(strict) == .accepted)
    }

    @Test func `answers for the devices that it was told`() throws {
        var options = SimulatorOptions()
        options.devices = [
            SimulatedDevice(token: TestRequest.deviceToken, topic: "com.example.app"),
            SimulatedDevice(token: "dead", topic: "com.example.app", unregisteredAtMillis: 1_799_000_000_123),
            SimulatedDevice(token: "beef", topic: "com.example.other"),
            SimulatedDevice(token: "5a5a", topic: "com.example.app", environment: .sandbox),
        ]
        let strict = try RequestJudge(options)
        #expect(request.verdict(strict) == .accepted)
        #expect(
            request.with(":path", "/3/device/DEAD").verdict(strict)
                == .rejected(.unregistered, timestampMillis: 1_799_000_000_123)
        )
        #expect(request.with(":path", "/3/device/beef").verdict(strict) == .rejected(.deviceTokenNotForTopic))
        #expect(request.with(":path", "/3/device/5a5a").verdict(strict) == .rejected(.badDeviceToken))
        #expect(request.with(":path", "/3/device/0000").verdict(strict) == .rejected(.badDeviceToken))
    }
}
