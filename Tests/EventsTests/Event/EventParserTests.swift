import Events
import Testing

@Suite struct EventParserTests {
    @Test func `makes a push of a bare place`() {
        let read = Read(location(), kind: .location)
        #expect(read.outcome == .event)
        #expect(
            read.body == #"{"aps":{"content-available":1},"locationId":"salePoint","geopush":{"v":1,"revision":7}}"#
        )
        #expect(
            read.pushes.map(\.header) == [
                """
                geopush-version: 1
                apns-topic: com.example.shop
                apns-push-type: background
                apns-priority: 5
                apns-expiration: 1796722200
                apns-collapse-id: salePoint
                app: shop
                event-id: geopush.location-events/2/17
                location-id: salePoint
                revision: 7
                queued-at: 1796117400000
                apns-id: 4c8db3df-bd8d-5b9c-a9b8-cc11425ce39e
                environment: production

                """
            ]
        )
        #expect(read.pushes.first?.key == "00ff")
    }

    @Test func `a field that its type does not have means nothing`() {
        let later = "\"2027-01-01T00:00:00Z\""
        let read = Read(location(["campaignId": "\"summer\"", "deliverAt": later]), kind: .location)
        #expect(read.outcome == .event)
        #expect(read.pushes.map { $0.field(.campaignID) } == [""])
        #expect(read.event.deliverAtMillis == -1)
    }

    @Test func `takes a structured event by its attribute`() {
        let read = Read(structured("campaign.scheduled", campaign()))
        #expect(read.outcome == .event)
        #expect(read.pushes.first?.field(.eventID) == "e-1")
        #expect(read.pushes.first?.field(.apnsID) == "87f96be8-50c2-54e1-871f-f327a225b6e4")
        #expect(read.body == #"{"aps":{"content-available":1},"locationId":"salePoint","campaignId":"summer"}"#)
    }

    @Test(arguments: ["application/cloudevents+json", "Application/CloudEvents+JSON; charset=utf-8"])
    func `takes a structured event by its content type`(contentType: String) {
        let read = Read(structured("campaign.scheduled", campaign()), headers: [("content-type", contentType)])
        #expect(read.outcome == .event)
    }

    static let binary = [
        ("ce_specversion", "1.0"), ("ce_id", "e-9"), ("ce_source", "/shop"), ("ce_type", "location.deleted"),
        ("content-type", "application/json"), ("ce_time", "2026-12-01T09:30:00Z"),
    ]

    @Test func `takes a binary event`() {
        let data = #"{"locationId":"salePoint","revision":8,"app":"shop","audience":{"devices":[{"token":"00ff"}]}}"#
        let read = Read(data, kind: .location, headers: Self.binary)
        #expect(read.outcome == .event)
        #expect(read.event.type == .locationDeleted)
        #expect(read.body == #"{"aps":{"content-available":1},"geopush":{"v":1,"revision":8,"remove":["salePoint"]}}"#)
        #expect(read.pushes.first?.field(.eventID) == "e-9")
        #expect(read.pushes.first?.field(.apnsCollapseID) == "salePoint")
    }

    @Test func `names the header that is wrong`() {
        let headers = [("ce_specversion", "0.3"), ("ce_id", ""), ("ce_type", "device.registered"), ("ce_time", "now")]
        let read = Read(location(), kind: .location, headers: headers)
        #expect(
            read.codes == [
                "invalid-value ce_specversion", "invalid-value ce_time", "invalid-value ce_id",
                "missing-field ce_source", "unknown-type ce_type",
            ]
        )
    }

    @Test(arguments: ["text/plain", "application/cloudevents-batch+json", "application/cloudevents+avro", ""])
    func `refuses other content types`(contentType: String) {
        let read = Read(campaign(), headers: [("content-type", contentType)])
        #expect(read.codes == ["unsupported-envelope content-type"])
    }

    @Test func `names the attributes that are wrong`() {
        let text = structured(
            "location.updated",
            "[]",
            ["specversion": #""2.0""#, "id": "7", "source": #""""#, "datacontenttype": #""text/xml""#]
        )
        #expect(
            Read(text).codes == [
                "wrong-type $.data", "invalid-value $.specversion", "wrong-type $.id", "invalid-value $.source",
                "unsupported-envelope $.datacontenttype", "unknown-type $.type",
            ]
        )
    }

    @Test(arguments: TopicKind.allCases)
    func `takes a tombstone everywhere`(kind: TopicKind) {
        let read = Read(nil as [UInt8]?, kind: kind)
        #expect(read.outcome == .tombstone)
        #expect(read.faults == [])
    }

    @Test func `says where JSON stops being it`() {
        #expect(Read("").faults.map(\.found) == ["0 bytes"])
        let read = Read("{\n \"campaignId\": \"近\",}")
        #expect(read.codes == ["malformed-json $"])
        #expect(
            read.faults.first?.found
                == "malformed JSON at line 2, column 20: found \"}\", expected a name in quotes"
        )
    }

    @Test(arguments: ["[]", "7", "null", #""text""#])
    func `refuses what is no object`(text: String) { #expect(Read(text).codes == ["wrong-type $"]) }

    @Test func `keeps the trace and drops a malformed one`() {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        #expect(Read(campaign(), headers: [("traceparent", trace)]).pushes.first?.field(.traceparent) == trace)
        #expect(Read(campaign(), headers: [("traceparent", "00-x")]).pushes.first?.field(.traceparent) == "")
        let read = Read(structured("campaign.scheduled", campaign(), ["traceparent": "\"\(trace)\""]))
        #expect(read.pushes.first?.field(.traceparent) == trace)
    }

    @Test func `keeps the first of two traces`() {
        let first = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let second = "00-11111111111111111111111111111111-2222222222222222-01"
        let read = Read(
            structured("campaign.scheduled", campaign(), ["traceparent": "\"\(first)\",\"traceparent\":\"\(second)\""])
        )
        #expect(read.codes == [])
        #expect(read.pushes.first?.field(.traceparent) == first)
    }

    @Test func `sends nothing for a place without an audience`() {
        let read = Read(location(["audience": nil]), kind: .location)
        #expect(read.outcome == .event)
        #expect(read.body == "")
        #expect(read.pushes.isEmpty && read.receipts.isEmpty)
    }

    @Test func `reads a cancelled campaign and a device`() {
        let cancelled = Read(structured("campaign.cancelled", #"{"campaignId":"summer"}"#))
        #expect(cancelled.outcome == .event)
        #expect(cancelled.event.type == .campaignCancelled)
        #expect(cancelled.pushes.isEmpty)
        let device = Read(
            #"{"deviceId":"d-1","token":"00FF","app":"shop","environment":"sandbox","registeredAt":"2026-12-01T00:00:00Z","tags":[]}"#,
            kind: .device
        )
        #expect(device.outcome == .event)
        #expect(device.event.type == .deviceRegistered)
    }

    @Test func `knows the configured apps`() {
        let read = Read(campaign(["app": #""other""#]))
        #expect(read.codes == ["unknown-app $.app"])
        #expect(read.faults.first?.expected == #""shop" or "demo""#)
        let open = Read(campaign(["app": #""other""#]), settings: EventParserSettings(apps: []))
        #expect(open.outcome == .event)
        #expect(open.event.appIndex == -1)
        #expect(open.pushes.first?.field(.apnsTopic) == "")
        #expect(Read(campaign(["app": #""demo""#])).pushes.first?.field(.apnsTopic) == "com.example.demo")
    }
}
