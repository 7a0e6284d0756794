import Events
import Testing

@Suite struct EventTimeTests {
    static let second: Int64 = 1_000
    static let day: Int64 = 86_400_000

    @Test func `lets a place live for seven days and a campaign for one`() {
        #expect(Read(location(), kind: .location).event.expiresAtMillis == Read.now + 7 * Self.day)
        #expect(Read(campaign()).event.expiresAtMillis == Read.now + Self.day)
    }

    @Test func `counts from the record, or from a later delivery`() {
        let old = Read(campaign(), timestamp: Read.now - 3_600_000)
        #expect(old.event.expiresAtMillis == Read.now - 3_600_000 + Self.day)
        let soon = Read(campaign(["deliverAt": #""2026-12-01T09:30:30Z""#]))
        #expect(soon.event.expiresAtMillis == Read.now + 30 * Self.second + Self.day)
        let past = Read(campaign(["deliverAt": #""2026-11-30T09:30:30Z""#]))
        #expect(past.event.expiresAtMillis == Read.now + Self.day)
        #expect(past.pushes.count == 1)
        #expect(Read(campaign(), timestamp: -1).event.expiresAtMillis == Read.now + Self.day)
    }

    @Test func `rounds an expiry down to seconds`() {
        let read = Read(campaign(["expiresAt": #""2026-12-01T09:30:05.999Z""#]))
        #expect(read.pushes.first?.field(.apnsExpiration) == "1796117405")
    }

    @Test func `asks APNs for no later time than its header takes`() {
        let read = Read(campaign(["expiresAt": #""9999-12-31T23:59:59Z""#]))
        #expect(read.pushes.first?.field(.apnsExpiration) == "100000000000")
    }

    @Test func `ends an expired event in one receipt`() throws {
        let read = Read(campaign(["expiresAt": #""2026-12-01T09:30:00Z""#]), key: "summer-key")
        #expect(read.outcome == .event)
        #expect(read.pushes.isEmpty)
        let receipt = try #require(read.receipts.first)
        #expect(read.receipts.count == 1)
        #expect(receipt.status == "expired")
        #expect(receipt.reason == "geopush:expired")
        #expect(receipt.token == nil)
        #expect(receipt.campaignID == "summer")
        #expect(receipt.dataJSON.contains(#""source":{"topic":"geopush.campaign-events","partition":2,"offset":17}"#))
    }

    @Test func `repeats of a record's long key only the beginning`() {
        let key = String(repeating: "k", count: 1_500_000)
        let read = Read(campaign(["expiresAt": #""2026-12-01T09:30:00Z""#]), key: key)
        #expect(read.receiptKeys == [String(key.prefix(ReceiptFields.textBytesMax))])
    }

    @Test func `sends an event in its last moment`() {
        let read = Read(campaign(["expiresAt": #""2026-12-01T09:30:00.001Z""#]))
        #expect(read.pushes.count == 1)
    }

    @Test func `says nothing of an expired place without audience`() {
        let read = Read(location(["audience": nil, "expiresAt": #""2020-01-01T00:00:00Z""#]), kind: .location)
        #expect(read.outcome == .event)
        #expect(read.receipts.isEmpty)
    }

    @Test(arguments: [
        ("2026-12-01T09:31:00Z", true), ("2026-12-01T09:31:00.001Z", false), ("2026-12-01T18:31:00+09:00", true),
        ("2026-12-02T00:00:00Z", false),
    ])
    func `takes a delivery within a minute as now`(time: String, isTaken: Bool) {
        let read = Read(campaign(["deliverAt": "\"\(time)\""]))
        #expect(read.codes == (isTaken ? [] : ["scheduling-unavailable $.deliverAt"]))
        var settings = Read.settings
        settings.keepsSchedules = true
        #expect(Read(campaign(["deliverAt": "\"\(time)\""]), settings: settings).outcome == .event)
    }

    @Test func `refuses an expiry before the delivery`() {
        let times: KeyValuePairs<String, String?> = [
            "deliverAt": #""2026-12-01T09:30:30Z""#, "expiresAt": #""2026-12-01T09:30:30Z""#,
        ]
        #expect(Read(campaign(times)).codes == ["conflicting-field $.expiresAt"])
    }

    @Test(arguments: [
        ("2026-12-01T09:30:00Z", 1_796_117_400_000), ("2026-12-01t09:30:00.5z", 1_796_117_400_500),
        ("2026-12-01T09:30:00.12Z", 1_796_117_400_120), ("2026-12-01T09:30:00.123999Z", 1_796_117_400_123),
        ("2026-12-01T18:30:00+09:00", 1_796_117_400_000), ("2026-12-01T00:00:00-09:30", 1_796_117_400_000),
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1_000), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `reads a time`(text: String, millis: Int64) {
        let read = Read(campaign(["expiresAt": "\"\(text)\""]))
        #expect(read.codes == [])
        #expect(read.event.expiresAtMillis == millis)
    }

    @Test(arguments: [
        "", "2026-12-01", "2026-12-01T09:30:00", "2026-12-01 09:30:00Z", "2026-13-01T09:30:00Z", "2026-00-01T09:30:00Z",
        "2026-12-00T09:30:00Z", "2026-12-32T09:30:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2026-12-01T24:00:00Z", "2026-12-01T09:60:00Z", "2026-12-01T09:30:61Z", "2026-12-01T09:30:00.Z",
        "2026-12-01T09:30:00+0900", "2026-12-01T09:30:00+24:00", "2026-12-01T09:30:00Zx", "+026-12-01T09:30:00Z",
        "2026-12-01T09:30Z", "1796117400",
    ])
    func `refuses what is no time`(text: String) {
        #expect(Read(campaign(["expiresAt": "\"\(text)\""])).codes == ["invalid-value $.expiresAt"])
    }
}
