import Events
import Testing

@Suite struct CampaignRuleTests {
    @Test(arguments: ["sound", "badge", "category", "action"])
    func `lets nothing be seen or heard of a silent campaign`(name: String) {
        let value = name == "badge" ? "1" : #""a:b""#
        #expect(Read(campaign(["\(name)": value])).codes == ["conflicting-field $.\(name)"])
        #expect(Read(campaign(["\(name)": value, "alert": #""近くでセール開催中！""#])).codes == [])
    }

    @Test(arguments: [
        (#""""#, "invalid-value $.alert"), ("7", "wrong-type $.alert"), ("{}", "missing-field $.alert"),
        (#"{"subtitle":"x"}"#, "missing-field $.alert"), (#"{"body":""}"#, "invalid-value $.alert.body"),
        (#"{"body":"x","loc-args":["y"]}"#, "conflicting-field $.alert.loc-args"),
        (#"{"loc-key":"x","loc-args":[7]}"#, "wrong-type $.alert.loc-args[0]"),
        (#"{"title":"x","title-loc-args":[]}"#, "conflicting-field $.alert.title-loc-args"),
        (#"{"loc-key":"x","launch-image":7}"#, "wrong-type $.alert.launch-image"),
    ])
    func `refuses a wrong alert`(alert: String, code: String) {
        #expect(Read(campaign(["alert": alert])).codes == [code])
    }

    @Test(arguments: [
        ("10", nil as String?, "invalid-value $.priority"), ("1", nil, "invalid-value $.priority"), ("5", nil, nil),
        ("10", #""x""#, nil), ("5", #""x""#, nil), ("1", #""x""#, nil), ("7", #""x""#, "invalid-value $.priority"),
        ("0", #""x""#, "invalid-value $.priority"),
    ])
    func `knows which priorities a push may have`(priority: String, alert: String?, code: String?) {
        let read = Read(campaign(["priority": priority, "alert": alert]))
        #expect(read.codes == (code.map { [$0] } ?? []))
        if code == nil { #expect(read.pushes.first?.field(.apnsPriority) == priority) }
    }

    @Test func `pushes a visible campaign as an alert`() throws {
        let push = try #require(Read(campaign(["alert": #""x""#])).pushes.first)
        #expect(push.field(.apnsPushType) == "alert")
        #expect(push.field(.apnsPriority) == "10")
        #expect(push.field(.apnsCollapseID) == "summer")
        #expect(push.field(.campaignID) == "summer")
        #expect(push.field(.locationID) == "salePoint")
        let silent = try #require(Read(campaign()).pushes.first)
        #expect(silent.field(.apnsPushType) == "background")
        #expect(silent.field(.apnsPriority) == "5")
        #expect(silent.field(.apnsCollapseID) == "salePoint")
    }

    @Test(arguments: ["mailto:a@b.example", "http://jp.fujitsu.com/", "myapp+x:sale/1"])
    func `takes any URL with a scheme as action`(action: String) {
        #expect(Read(campaign(["alert": #""x""#, "action": "\"\(action)\""])).codes == [])
    }

    @Test(arguments: ["", "jp.fujitsu.com", ":x", "http:", "1http://x", "ht tp://x", "http://\\u0001"])
    func `refuses an action without a scheme`(action: String) {
        let read = Read(campaign(["alert": #""x""#, "action": "\"\(action)\""]))
        #expect(read.codes == ["invalid-value $.action"])
    }

    @Test(arguments: ["aps", "locationId", "locationIds", "campaignId", "geopush"])
    func `keeps its own names out of custom`(name: String) {
        #expect(Read(campaign(["custom": "{\"\(name)\":1}"])).codes == ["reserved-field $.custom.\(name)"])
    }

    @Test func `refuses names twice in custom`() {
        #expect(
            Read(campaign(["custom": #"{"a b":1,"c":{"x":1,"x":2},"a b":2}"#])).codes == [
                #"duplicate-field $.custom["a b"]"#
            ]
        )
        let both = campaign(["alert": #""x""#, "action": #""a:b""#, "custom": #"{"action":1}"#])
        #expect(Read(both).codes == ["reserved-field $.custom.action"])
        #expect(Read(campaign(["custom": "[]"])).codes == ["wrong-type $.custom"])
    }

    @Test func `counts the payload in bytes`() {
        let empty = Read(campaign(["custom": #"{"text":""}"#])).body.utf8.count
        let fits =
            String(repeating: "あ", count: (4_096 - empty) / 3) + String(repeating: "a", count: (4_096 - empty) % 3)
        let read = Read(campaign(["custom": "{\"text\":\"\(fits)\"}"]))
        #expect(read.body.utf8.count == 4_096)
        let over = Read(campaign(["custom": "{\"text\":\"\(fits)a\"}"]))
        #expect(over.codes == ["payload-too-large $"])
        #expect(over.faults.first?.description == "$: found 4097 bytes, expected a payload of at most 4096 bytes")
    }

    @Test(arguments: ["sale", "a b", String(repeating: "a", count: 64)])
    func `sends a collapse id as it is`(id: String) {
        #expect(Read(campaign(["collapseId": "\"\(id)\""])).collapseID == id)
    }

    @Test(arguments: ["夏", " a", "a ", String(repeating: "b", count: 65)])
    func `hashes a collapse id that no header could hold`(id: String) {
        let read = Read(campaign(["collapseId": "\"\(id)\""]))
        #expect(read.collapseID.utf8.count == 43)
        #expect(read.collapseID.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test func `hashes a long collapse id with SHA-256`() {
        // printf 'a%.0s' $(seq 65) | openssl dgst -sha256 -binary | basenc --base64url | tr -d =
        let read = Read(campaign(["collapseId": "\"\(String(repeating: "a", count: 65))\""]))
        #expect(read.collapseID == "Y1NhxIu56rFBmOduqKt_GkFoXWrWKqkUbTAdTxfrCuA")
    }
}
