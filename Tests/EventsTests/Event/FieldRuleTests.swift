import Events
import Testing

@Suite struct FieldRuleTests {
    @Test(arguments: ["campaignId", "locationIds", "app", "audience"])
    func `demands the fields of a campaign`(name: String) {
        let read = Read(structured("campaign.scheduled", campaign(["\(name)": nil])))
        #expect(read.codes == ["missing-field $.data.\(name)"])
    }

    @Test(arguments: ["locationId", "revision", "latitude", "longitude", "radius", "app"])
    func `demands the fields of a place`(name: String) {
        #expect(Read(location(["\(name)": nil]), kind: .location).codes == ["missing-field $.\(name)"])
    }

    @Test(arguments: [
        ("latitude", "91", "invalid-value"), ("latitude", "-90.0001", "invalid-value"),
        ("latitude", #""35""#, "wrong-type"),
        ("longitude", "180.5", "invalid-value"), ("longitude", "null", "wrong-type"), ("radius", "0", "invalid-value"),
        ("radius", "-1", "invalid-value"), ("revision", "1.5", "wrong-type"), ("revision", "-1", "invalid-value"),
        ("revision", "18446744073709551615", "invalid-value"), ("revision", #""7""#, "wrong-type"),
        ("notifyOnEntry", "1", "wrong-type"), ("name", "7", "wrong-type"), ("locationId", "7", "wrong-type"),
        ("locationId", #""""#, "invalid-value"), ("locationId", #""a\u0007""#, "invalid-value"),
        ("locationId", #""a\n""#, "invalid-value"), ("expiresAt", #""tomorrow""#, "invalid-value"),
        ("expiresAt", #""2026-02-30T00:00:00Z""#, "invalid-value"), ("expiresAt", "7", "wrong-type"),
        ("notification", #""text""#, "wrong-type"), ("audience", "[]", "wrong-type"),
    ])
    func `refuses a wrong value in a place`(name: String, value: String, code: String) {
        #expect(Read(location(["\(name)": value]), kind: .location).codes == ["\(code) $.\(name)"])
    }

    @Test(arguments: [
        ("latitude", "90"), ("latitude", "-90.0"), ("longitude", "-180"), ("radius", "0.1"), ("revision", "0"),
        ("revision", "7.0"), ("revision", "9223372036854775807"), ("expiresAt", #""2026-12-02T00:00:00.123+09:00""#),
        ("expiresAt", #""2028-02-29t23:59:60z""#), ("name", #""六本木""#), ("unknown", "[{}]"),
    ])
    func `takes the values at the edge`(name: String, value: String) {
        #expect(Read(location(["\(name)": value]), kind: .location).codes == [])
    }

    @Test func `counts an id in bytes`() {
        let fits = String(repeating: "あ", count: 42) + "ab"
        #expect(Read(campaign(["campaignId": "\"\(fits)\""])).codes == [])
        #expect(Read(campaign(["campaignId": "\"\(fits)c\""])).codes == ["invalid-value $.campaignId"])
    }

    @Test func `says several faults at once, with what was found and expected`() {
        let read = Read(
            location(["latitude": "91", "radius": #""big""#, "app": nil, "audience": #"{"devices":[{"token":7}]}"#]),
            kind: .location
        )
        #expect(
            read.faults.map(\.description) == [
                "$.latitude: found 91, expected a number from -90 to 90",
                "$.radius: found \"big\", expected a number above 0",
                "$.audience.devices[0].token: found 7, expected a text",
                "$.app: found nothing, expected a text of 1 to 128 bytes without control characters",
            ]
        )
    }

    @Test func `shows the controls that JSON leaves as they are`() {
        let read = Read(location(["locationId": "\"a\u{7F}\u{85}\u{9B}é\""]), kind: .location)
        #expect(read.faults.map(\.found) == [#""a\u007f\u0085\u009bé""#])
        let key = Read(campaign(["custom": "{\"a\u{9B}\":1,\"a\u{9B}\":2}"]))
        #expect(key.codes == [#"duplicate-field $.custom["a\u009b"]"#])
    }

    @Test func `stops counting faults at some point`() {
        let devices = Array(repeating: "7", count: 1_000).joined(separator: ",")
        let read = Read(campaign(["audience": "{\"devices\":[\(devices)]}"]))
        #expect(read.faults.count == 16)
        #expect(read.codes.last == "wrong-type $.audience.devices[15]")
    }

    @Test func `refuses its own fields twice and ignores others`() {
        let twice = campaign().dropLast() + #","app":"shop","x":1,"x":2}"#
        #expect(Read(String(twice)).codes == ["duplicate-field $.app"])
        let token = #"{"devices":[{"token":"00","token":"01"}]}"#
        #expect(Read(campaign(["audience": token])).codes == ["duplicate-field $.audience.devices[0].token"])
    }

    @Test func `never shows a token`() {
        let read = Read(
            #"{"deviceId":"d","token":"5ecr3t","app":"shop","environment":"live","registeredAt":"2026-12-01T00:00:00Z"}"#,
            kind: .device
        )
        #expect(read.codes == ["invalid-value $.token", "invalid-value $.environment"])
        #expect(read.faults.first?.found == "a text of 6 bytes")
    }

    @Test(arguments: [
        (#"{"everyone":false}"#, "invalid-value $.audience.everyone"),
        (#"{"everyone":true}"#, "audience-unavailable $.audience"),
        (#"{"devices":[{"token":"00"}],"tags":{"all":["a"]}}"#, "audience-unavailable $.audience"),
        (#"{"tags":{}}"#, "invalid-value $.audience.tags"),
        (#"{"tags":{"any":[]}}"#, "invalid-value $.audience.tags.any"),
        (#"{"subscribersOf":[7]}"#, "wrong-type $.audience.subscribersOf[0]"),
        (#"{"near":{"latitude":1,"longitude":2}}"#, "missing-field $.audience.near.meters"),
        (#"{"near":{"latitude":1,"longitude":2,"meters":3,"maxAgeSeconds":60}}"#, "audience-unavailable $.audience"),
        ("{}", "invalid-value $.audience"), (#"{"new":1}"#, "invalid-value $.audience"),
        (#"{"devices":[]}"#, "invalid-value $.audience.devices"),
        (#"{"devices":{}}"#, "wrong-type $.audience.devices"),
        (#"{"devices":[7]}"#, "wrong-type $.audience.devices[0]"),
        (#"{"devices":[{}]}"#, "missing-field $.audience.devices[0].token"),
        (#"{"devices":[{"token":"00","deviceId":7}]}"#, "wrong-type $.audience.devices[0].deviceId"),
        (#"{"devices":[{"token":"00","deviceId":""}]}"#, "invalid-value $.audience.devices[0].deviceId"),
        (#"{"devices":[{"token":"00","environment":"test"}]}"#, "invalid-value $.audience.devices[0].environment"),
        (#"{"devices":[{"token":"00","environment":null}]}"#, "wrong-type $.audience.devices[0].environment"),
    ])
    func `refuses a wrong audience`(audience: String, code: String) {
        let read = Read(campaign(["audience": audience]))
        #expect(read.codes.first == code)
        #expect(read.codes.filter { !$0.hasPrefix("audience-unavailable") }.count <= 1)
    }

    @Test func `takes other audiences where the device table is`() {
        var settings = Read.settings
        settings.servesDeviceTable = true
        let read = Read(campaign(["audience": #"{"everyone":true}"#]), settings: settings)
        #expect(read.outcome == .event)
        #expect(read.event.needsDeviceTable)
    }
}
