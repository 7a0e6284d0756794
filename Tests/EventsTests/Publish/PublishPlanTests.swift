import Testing

@testable import Events

@Suite struct PublishPlanTests {
    private func plan(_ input: String, _ kind: PublishKind? = nil, apps: [EventApp] = []) -> PublishPlan {
        PublishPlan(input: Array(input.utf8), kind: kind, apps: apps, nowMillis: Read.now)
    }

    @Test func `takes one event, in compact form`() throws {
        let plan = plan(
            "{ \"specversion\" : \"1.0\",\n" + structured("campaign.scheduled", campaign()).dropFirst(21),
            .campaign
        )
        #expect(plan.faults == [])
        let message = try #require(plan.messages.first)
        #expect(message.type == "campaign.scheduled")
        #expect(message.id == "e-1")
        #expect(message.place == "")
        #expect(String(decoding: message.key, as: UTF8.self) == "summer")
        #expect(String(decoding: message.value, as: UTF8.self) == structured("campaign.scheduled", campaign()))
        #expect(message.headers.map(\.name) == ["content-type"])
        #expect(
            message.headers.first.map { String(decoding: $0.value, as: UTF8.self) } == "application/cloudevents+json"
        )
    }

    @Test func `takes bare data, whose id its place in the topic becomes`() throws {
        let message = try #require(plan(location(), .location).messages.first)
        #expect(message.type == "location.updated")
        #expect(message.id == nil)
        #expect(message.headers.first.map { String(decoding: $0.value, as: UTF8.self) } == "application/json")
    }

    @Test func `takes an array and one event a line`() {
        let events = [location(), location(["locationId": #""b""#])]
        let array = plan("[" + events.joined(separator: ",") + "]", .location)
        #expect(array.messages.map(\.place) == ["index 0", "index 1"])
        let lines = plan("\n" + events.joined(separator: "\n\n") + "\r\n", .location)
        #expect(lines.messages.map(\.place) == ["line 2", "line 4"])
        #expect(lines.messages.map(\.value) == array.messages.map(\.value))
        #expect(lines.messages.map { String(decoding: $0.key, as: UTF8.self) } == ["salePoint", "b"])
    }

    @Test func `says the place of each fault and goes on`() {
        let input = [location(["latitude": "91"]), location(), location(["app": nil]), "{\"a\":"]
        let plan = plan(input.joined(separator: "\n"), .location)
        #expect(plan.faults.map(\.place) == ["line 1", "line 3", "line 4"])
        #expect(plan.messages.count == 1)
        #expect(
            plan.faults.last?.description
                == "line 4: $: found malformed JSON at line 4, column 6: the document ends, expected a value, expected one JSON object"
        )
    }

    @Test func `says line and column of one malformed document`() {
        let plan = plan("{\n  \"locationId\": \"a\",\n  \"revision\" 1\n}", .location)
        #expect(plan.faults.map(\.place) == [""])
        #expect(plan.faults.first?.fault.found.hasPrefix("malformed JSON at line 3, column 14") == true)
    }

    @Test(arguments: ["", " \n", "[]", "7", "[7]", "null", "[[{}]]", "{}", #"{"specversion":"1.0"}"#])
    func `refuses what is no event`(input: String) {
        #expect(plan(input).faults.count >= 1)
        #expect(plan(input).messages == [])
        #expect(plan(input, .device).faults.count >= 1)
    }

    @Test func `refuses an event of another topic`() {
        let plan = plan(structured("campaign.scheduled", campaign()), .location)
        #expect(plan.faults.map(\.fault.code) == [.unknownType])
    }

    @Test func `finds out what an event is`() throws {
        let files = [
            "campaign-cancelled", "campaign-silent", "campaign-visible", "device-registered", "location-deleted",
            "location-roppongi", "location-sale", "location-site", "push",
        ]
        for file in files {
            let input = try repositoryFile("Config/examples/\(file).json")
            let plan = PublishPlan(input: input, kind: nil, apps: [], nowMillis: Read.now)
            #expect(plan.faults == [])
            #expect(plan.messages.first.map { file.hasPrefix($0.kind.rawValue) } == true)
        }
        #expect(plan(campaign()).messages.first?.kind == .campaign)
        #expect(plan(location()).messages.first?.kind == .location)
        let unknown = plan(structured("device.gone", "{}"))
        #expect(
            unknown.faults.first?.description.hasPrefix(#"$.type: found "device.gone", expected "location.up"#) == true
        )
    }

    @Test func `warns of what is allowed but hardly meant`() {
        let place = plan(location(["radius": "50"]), .location)
        #expect(place.warnings.map(\.fault.path) == ["$.radius"])
        let late = structured("campaign.scheduled", campaign(["deliverAt": #""2026-12-24T00:00:00Z""#]))
        #expect(plan(late).warnings.map(\.fault.path) == ["$.data.deliverAt"])
        #expect(
            plan(campaign(["audience": #"{"everyone":true}"#])).warnings.map(\.fault.code) == [.audienceUnavailable]
        )
        #expect(plan(campaign(["expiresAt": #""2026-11-01T00:00:00Z""#])).warnings.map(\.fault.path) == ["$.expiresAt"])
        #expect(plan(campaign()).warnings == [])
    }

    @Test func `refuses an event that its topic does not take`() throws {
        let event = location(["name": #""""#])
        let message = try #require(plan(event).messages.first)
        let rest = PublishPlan.recordBytesMax - message.bytes
        let name = String(repeating: "近", count: rest / 3) + String(repeating: "a", count: rest % 3)
        #expect(plan(location(["name": "\"\(name)\""])).messages.first?.bytes == PublishPlan.recordBytesMax)
        let large = plan(location() + "\n" + location(["name": "\"\(name)a\""]))
        #expect(
            large.faults.map(\.description) == ["line 2: $: found a record of 4194305 bytes, expected at most 4194304"]
        )
    }

    @Test func `knows the configured apps`() {
        #expect(plan(campaign(), apps: [EventApp(id: "shop", topic: "t")]).faults == [])
        #expect(plan(campaign(), apps: [EventApp(id: "demo", topic: "t")]).faults.map(\.fault.code) == [.unknownApp])
    }
}

@Suite struct PublishedPushTests {
    private static func body(bytes: Int) -> String {
        let start = #"{"aps":{"content-available":1},"x":""#
        return start + String(repeating: "a", count: bytes - start.utf8.count - 2) + #""}"#
    }

    private func push(_ changes: KeyValuePairs<String, String?> = [:]) -> PublishPlan {
        let members = [
            ("token", #""00FF""#), ("topic", #""com.example.shop""#), ("body", #"{"aps":{"content-available":1}}"#),
        ]
        return PublishPlan(input: Array(object(members, changes).utf8), kind: .push, apps: [], nowMillis: Read.now)
    }

    @Test func `makes a record with what is given`() throws {
        let message = try #require(push().messages.first)
        #expect(message.kind == .push && message.type == "push" && message.id == nil)
        #expect(String(decoding: message.key, as: UTF8.self) == "00ff")
        #expect(String(decoding: message.value, as: UTF8.self) == #"{"aps":{"content-available":1}}"#)
        #expect(
            message.headers.map { String(decoding: $0.value, as: UTF8.self) } == [
                "geopush-version: 1\napns-topic: com.example.shop\nqueued-at: 1796117400000\n"
            ]
        )
    }

    @Test func `takes every header`() throws {
        let id = "0b6b8a0c-0000-5000-8000-000000000001"
        let plan = push([
            "pushType": #""alert""#, "priority": "10", "expiration": "0", "collapseId": #""c""#, "apnsId": "\"\(id)\"",
            "environment": #""sandbox""#, "body": #"{"aps":{"alert":"x"}}"#,
        ])
        #expect(plan.faults == [])
        #expect(
            plan.messages.first?.headers.first.map { String(decoding: $0.value, as: UTF8.self) } == """
                geopush-version: 1
                apns-topic: com.example.shop
                apns-push-type: alert
                apns-collapse-id: c
                apns-id: \(id)
                environment: sandbox
                apns-priority: 10
                apns-expiration: 0
                queued-at: 1796117400000

                """
        )
    }

    @Test(arguments: [
        ("token", #""zz""#, "invalid-value $.token"), ("token", nil as String?, "missing-field $.token"),
        ("topic", nil, "missing-field $.topic"), ("topic", #""é""#, "invalid-value $.topic"),
        ("topic", #""com.example shop""#, "invalid-value $.topic"), ("topic", #""""#, "invalid-value $.topic"),
        ("collapseId", #"" c""#, "invalid-value $.collapseId"), ("collapseId", #""夏""#, "invalid-value $.collapseId"),
        ("body", "[]", "wrong-type $.body"), ("body", #"{"x":1}"#, "missing-field $.body.aps"),
        ("body", #"{"aps":"x"}"#, "wrong-type $.body.aps"), ("body", #"{"aps":[1]}"#, "wrong-type $.body.aps"),
        ("body", #"{"aps":{}}"#, "missing-field $.body.aps.content-available"),
        ("body", #"{"aps":{"content-available":1,"alert":"x"}}"#, "conflicting-field $.body.aps.alert"),
        ("body", #"{"aps":{"content-available":true}}"#, "conflicting-field $.body.aps.content-available"),
        ("priority", "10", "invalid-value $.priority"), ("priority", "11", "invalid-value $.priority"),
        ("pushType", #""loud""#, "invalid-value $.pushType"), ("expiration", "-1", "invalid-value $.expiration"),
        ("expiration", "1796117400000", "invalid-value $.expiration"),
        ("collapseId", "\"\(String(repeating: "a", count: 65))\"", "invalid-value $.collapseId"),
        ("apnsId", #""0B6B8A0C-0000-5000-8000-000000000001""#, "invalid-value $.apnsId"),
        ("apnsId", #""7""#, "invalid-value $.apnsId"), ("environment", #""test""#, "invalid-value $.environment"),
        ("body", Self.body(bytes: 4_097), "payload-too-large $.body"),
    ])
    func `refuses what APNs would refuse`(name: String, value: String?, code: String) {
        let faults = push([name: value]).faults.map { "\($0.fault.code.rawValue.dropFirst(8)) \($0.fault.path)" }
        #expect(faults == [code])
    }

    @Test func `takes a payload of 4096 bytes`() {
        #expect(push(["body": Self.body(bytes: 4_096)]).faults == [])
    }
}
