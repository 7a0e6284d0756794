import APNs
import Testing

@Suite struct `Push before it is sent` {
    private static let token = String(repeating: "0a", count: 32)

    @Test func `has defaults for what is absent`() throws {
        try Push().request { request in
            #expect(request.type == .background)
            #expect(request.priority == .powerAware)
            #expect(request.expirationSeconds == 1_234)
            #expect(request.collapseID.count == 0)
            #expect(request.apnsID.count == 0)
            #expect(request.token.elementsEqual(Self.token.utf8))
            #expect(request.topic.elementsEqual("com.example.shop".utf8))
            #expect(request.body.elementsEqual("{}".utf8))
        }
    }

    @Test func `has the values of its record`() throws {
        var push = Push()
        push.pushType = "alert"
        push.priority = "10"
        push.expiration = "1796115600"
        push.collapseID = "tokyo-station"
        push.apnsID = "2ed6657d-e927-568b-95e1-2665a8aea6a2"
        try push.request { request in
            #expect(request.type == .alert)
            #expect(request.priority == .immediate)
            #expect(request.expirationSeconds == 1_796_115_600)
            #expect(request.collapseID.elementsEqual("tokyo-station".utf8))
            #expect(request.apnsID.elementsEqual("2ed6657d-e927-568b-95e1-2665a8aea6a2".utf8))
        }
    }

    @Test(arguments: [
        "0a", "0A", token, token + "ab", String(repeating: "f", count: 160), String(repeating: "0", count: 512),
    ])
    func `takes device tokens of any even length`(token: String) throws {
        #expect(fault { $0.token = token } == nil)
    }

    @Test(arguments: [
        "", "0", "0g", "0 ", " 0", "../x?y", "0a/0", "0a%0", "０ａ", token + "0", String(repeating: "0", count: 514),
        "0\n",
        "0\u{0}", "@a", "`a", "Ga", ":0", "/0",
    ])
    func `refuses what is no device token`(token: String) {
        #expect(fault { $0.token = token } == .invalidToken)
    }

    @Test(arguments: ["a", "com.example.shop.voip", String(repeating: "a", count: 255), "!~"])
    func `takes topics that can stand in a header`(topic: String) {
        #expect(fault { $0.topic = topic } == nil)
    }

    @Test(arguments: ["", " ", "a b", "a\r\nb", "a\n", "a\u{0}", "a\u{7F}", "é", String(repeating: "a", count: 256)])
    func `refuses other topics`(topic: String) {
        #expect(fault { $0.topic = topic } == .invalidTopic)
    }

    @Test(arguments: PushType.allCases)
    func `takes every push type`(type: PushType) {
        #expect(fault { $0.pushType = "\(type.name)" } == nil)
    }

    @Test func `knows eleven push types`() {
        #expect(PushType.allCases.count == 11)
        #expect(Set(PushType.allCases.map { "\($0.name)" }).count == 11)
    }

    @Test(arguments: ["silent", "Background", "background ", " ", "alerts", "aler", "\u{0}"])
    func `refuses other push types`(type: String) {
        #expect(fault { $0.pushType = type } == .invalidPushType)
    }

    @Test(
        arguments: [
            ("background", "5", nil), ("background", "10", .invalidPriority), ("background", "1", .invalidPriority),
            ("", "10", .invalidPriority), ("alert", "1", nil), ("alert", "5", nil), ("alert", "10", nil),
            ("alert", "0", .invalidPriority), ("alert", "2", .invalidPriority), ("alert", "05", .invalidPriority),
            ("alert", "11", .invalidPriority), ("alert", "100", .invalidPriority), ("alert", "-5", .invalidPriority),
            ("alert", "high", .invalidPriority), ("alert", " ", .invalidPriority),
        ] as [(String, String, PushFault?)]
    )
    func `takes the priorities of its type`(type: String, priority: String, expected: PushFault?) {
        #expect(
            fault {
                $0.pushType = type
                $0.priority = priority
            } == expected
        )
    }

    @Test(arguments: ["0", "1", "1796115600", "99999999999", "100000000000"])
    func `takes seconds as expiration`(expiration: String) {
        #expect(fault { $0.expiration = expiration } == nil)
    }

    @Test(arguments: [
        "100000000001", "1796115600000", "9999999999999999999999", "-1", "+1", "1.5", "1e9", " 1", "1 ", "soon", "0x10",
        "2026-12-01T09:00:00Z", "١",
    ])
    func `refuses milliseconds and what is no number`(expiration: String) {
        #expect(fault { $0.expiration = expiration } == .invalidExpiration)
    }

    @Test(arguments: ["a", "a b", "!~", String(repeating: "a", count: 64)])
    func `takes collapse ids of 1 to 64 printable bytes`(id: String) {
        #expect(fault { $0.collapseID = id } == nil)
    }

    @Test(arguments: [
        String(repeating: "a", count: 65), "東京駅", "a\nb", "a\r\nb: c", "\u{0}", "\u{7F}", " a", "a ", " ",
    ])
    func `refuses other collapse ids`(id: String) {
        #expect(fault { $0.collapseID = id } == .invalidCollapseID)
    }

    @Test(arguments: [
        "2ed6657d-e927-568b-95e1-2665a8aea6a2", "2ED6657D-E927-568B-95E1-2665A8AEA6A2",
        "00000000-0000-0000-0000-000000000000",
    ])
    func `takes a UUID in its canonical form`(id: String) {
        #expect(fault { $0.apnsID = id } == nil)
    }

    @Test(arguments: [
        "1-1-1-1-1", "2ed6657de927568b95e12665a8aea6a2", "2ed6657d-e927-568b-95e1-2665a8aea6a",
        "2ed6657d-e927-568b-95e1-2665a8aea6a22", "2ed6657d-e927-568b-95e1-2665a8aea6ag",
        "{2ed6657d-e927-568b-95e1-2665a8aea6a}", "2ed6657de-927-568b-95e1-2665a8aea6a2", " ",
        "2ed6657d-e927-568b-95e1-2665a8aea6a\n",
    ])
    func `refuses what is no UUID`(id: String) {
        #expect(fault { $0.apnsID = id } == .invalidApnsID)
    }

    @Test(
        arguments: [
            ("background", 0, .payloadEmpty), ("background", 1, nil), ("background", 4_096, nil),
            ("background", 4_097, .payloadTooLarge), ("alert", 4_097, .payloadTooLarge), ("voip", 4_097, nil),
            ("voip", 5_120, nil), ("voip", 5_121, .payloadTooLarge), ("voip", 0, .payloadEmpty),
        ] as [(String, Int, PushFault?)]
    )
    func `takes bodies up to the size of its type`(type: String, count: Int, expected: PushFault?) {
        #expect(
            fault {
                $0.pushType = type
                $0.body = String(repeating: "a", count: count)
            } == expected
        )
    }

    @Test func `counts its body in bytes, not in characters`() {
        #expect(fault { $0.body = String(repeating: "東", count: 1_366) } == .payloadTooLarge)
        #expect(fault { $0.body = String(repeating: "東", count: 1_365) } == nil)
    }

    @Test func `goes to its app's topic only as a plain type and without a suffix`() throws {
        let cases = [
            ("background", "com.example.shop", true), ("alert", "com.example.shop", true),
            ("background", "com.example.other", false), ("background", "com.example.shop.voip", false),
            ("background", "com.example.sho", false), ("voip", "com.example.shop.voip", false),
            ("voip", "com.example.shop", false), ("mdm", "com.example.shop", false),
        ]
        for (type, topic, expected) in cases {
            var push = Push()
            push.pushType = type
            push.topic = topic
            try push.request { request in
                Array("com.example.shop".utf8).withUnsafeBytes { #expect(request.hasTopic(ofApp: $0) == expected) }
            }
        }
    }

    @Test func `gives each fault a reason of its own`() {
        let reasons = PushFault.allCases.map { "\($0.reason)" }
        #expect(
            reasons == [
                "geopush:invalid-token", "geopush:invalid-topic", "geopush:invalid-push-type",
                "geopush:invalid-priority",
                "geopush:invalid-expiration", "geopush:invalid-collapse-id", "geopush:invalid-apns-id",
                "geopush:payload-empty", "geopush:payload-too-large",
            ]
        )
    }

    private func fault(_ change: (inout Push) -> Void) -> PushFault? {
        var push = Push()
        change(&push)
        do {
            try push.request { _ in }
            return nil
        } catch {
            return error as? PushFault
        }
    }
}
