import EndToEndSupport

/// A record that is no event, and what its dead letter says.
struct BadRecord {
    let name: String
    let value: [UInt8]
    /// `dlq.code` without what all codes begin with.
    let code: String
    /// What `dlq.message` names.
    let path: String

    init(_ name: String, _ value: [UInt8], _ code: String, _ path: String = "$: ") {
        self.name = name
        self.value = value
        self.code = code
        self.path = path
    }

    init(_ name: String, _ text: String, _ code: String, _ path: String = "$: ") {
        self.init(name, Array(text.utf8), code, path)
    }

    private static let device = EventJSON.device(TestTokens.known(1))

    private static func place(_ more: String = "", devices: [String] = [device]) -> String {
        EventJSON.location("bad", revision: 1, devices: devices, more: more)
    }

    private static func place(_ part: String, becomes other: String) -> String {
        let text = place()
        guard let range = text.firstRange(of: part) else { return "the event has no \(part)" }
        return text[..<range.lowerBound] + other + text[range.upperBound...]
    }

    private static func campaign(_ more: String) -> String {
        EventJSON.campaign("bad", devices: [device], more: more)
    }

    /// What may come to the topic of places.
    static let places = [
        BadRecord("no JSON", #"{"specversion":"1.0","#, "malformed-json"),
        BadRecord("0 bytes", "", "malformed-json"),
        BadRecord("no UTF-8", Array(#"{"name":""#.utf8) + [0xE8, 0xBF, 0x22, 0x7D], "malformed-json"),
        BadRecord("5,000 levels", String(repeating: #"{"a":"#, count: 5_000), "malformed-json"),
        BadRecord("1e400", place(#""radius":150"#, becomes: #""radius":1e400"#), "malformed-json"),
        BadRecord("2 MB", #"{"name":""# + String(repeating: "近", count: 700_000), "malformed-json"),
        BadRecord("an array", "[]", "wrong-type"),
        BadRecord("another topic's type", campaign(""), "unknown-type", "$.type"),
        BadRecord("wrong type", place(#""revision":1"#, becomes: #""revision":"1""#), "wrong-type", "$.data.revision"),
        BadRecord("missing field", place(#","radius":150"#, becomes: ""), "missing-field", "$.data.radius"),
        BadRecord("latitude 91", place("35.68", becomes: "91"), "invalid-value", "$.data.latitude"),
        BadRecord("a field twice", place(#","app":"shop""#), "duplicate-field", "$.data.app"),
        BadRecord("no devices", place(devices: []), "invalid-value", "$.data.audience.devices"),
        BadRecord(
            "empty audience",
            place(#"{"devices":[\#(device)]}"#, becomes: "{}"),
            "invalid-value",
            "$.data.audience"
        ),
        BadRecord(
            "unknown word",
            place(devices: [#"{"token":"00ff","environment":"staging"}"#]),
            "invalid-value",
            "$.data.audience.devices[0].environment"
        ),
        BadRecord(
            "an id of 129 bytes",
            place(#""id":"bad-1""#, becomes: #""id":"\#(String(repeating: "あ", count: 43))""#),
            "invalid-value",
            "$.id"
        ),
        BadRecord(
            "a control character",
            place(#""locationId":"bad""#, becomes: #""locationId":"a\u0007""#),
            "invalid-value",
            "$.data.locationId"
        ),
    ]

    /// What may come to the topic of campaigns.
    static let campaigns = [
        BadRecord(
            "a reserved key",
            campaign(#","custom":{"aps":{"alert":"x"}}"#),
            "reserved-field",
            "$.data.custom.aps"
        ),
        BadRecord("a sound in a silent push", campaign(#","sound":"default""#), "conflicting-field", "$.data.sound"),
        BadRecord("a loud silent push", campaign(#","priority":10"#), "invalid-value", "$.data.priority"),
        BadRecord("a payload of 4,097 bytes", tooLarge, "payload-too-large", "4097 bytes"),
    ]

    private static var tooLarge: String {
        let payload = #"{"aps":{"content-available":1},"locationId":"salePoint","campaignId":"bad","text":""}"#
        return campaign(#","custom":{"text":"\#(String(repeating: "a", count: 4_097 - payload.utf8.count))"}"#)
    }
}
