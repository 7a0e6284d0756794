import Events
import Testing

@Suite struct ReceiptWriterTests {
    /// A push record, its key and what the receipt of its answer says.
    final class Push {
        let block = Text(
            """
            apns-id: 0b6b8a0c-0000-5000-8000-000000000001
            app: demo
            environment: sandbox
            event-id: e-1
            campaign-id: 夏"sale"
            location-id: salePoint
            device-id: d-1
            queued-at: 1796117400000

            """
        )
        let token = Text("00ff")
        let topic = Text("geopush.pushes")
        let reason = Text("BadDeviceToken")

        func fields() -> ReceiptFields {
            var push = PushRecord()
            push.decode(block.bytes)
            var fields = ReceiptFields()
            fields.take(push, token: token.bytes)
            fields.status = .rejected
            fields.reason = reason.bytes
            fields.httpStatus = 400
            fields.attempts = 1
            fields.sentAtMillis = 1_796_117_400_010
            fields.answeredAtMillis = 1_796_117_400_020
            fields.atMillis = 1_796_117_400_020
            fields.topic = topic.bytes
            fields.partition = 3
            fields.offset = 12
            return fields
        }
    }

    let push = Push()
    let source = Text("/shop")

    @Test func `writes every field of a whole receipt`() {
        var writer = ReceiptWriter(source: "/geopush/delivery", worker: "host-1", disclosure: .plain)
        writer.write(push.fields(), eventSource: source.bytes)
        #expect(
            string(writer.valueBytes)
                == #"{"specversion":"1.0","type":"push.receipt","source":"/geopush/delivery","#
                + #""datacontenttype":"application/json","dataschema":"urn:geopush:push.receipt:1","#
                + #""id":"0b6b8a0c-0000-5000-8000-000000000001","subject":"d-1","time":"2026-12-01T09:30:00.020Z","#
                + #""data":{"status":"rejected","reason":"BadDeviceToken","httpStatus":400,"#
                + #""apnsId":"0b6b8a0c-0000-5000-8000-000000000001","attempts":1,"eventId":"e-1","#
                + #""campaignId":"夏\"sale\"","locationId":"salePoint","deviceId":"d-1","token":"00ff","app":"demo","#
                + #""environment":"sandbox","queuedAt":"2026-12-01T09:30:00.000Z","sentAt":"2026-12-01T09:30:00.010Z","#
                + #""answeredAt":"2026-12-01T09:30:00.020Z","worker":"host-1","#
                + #""source":{"topic":"geopush.pushes","partition":3,"offset":12}}}"#
        )
        #expect(string(writer.keyBytes) == "d-1")
    }

    @Test func `leaves out what is not known`() {
        var writer = ReceiptWriter(source: "/g", worker: "w", disclosure: .plain)
        var fields = ReceiptFields()
        let (event, topic) = (Text("e-1"), Text("t"))
        fields.eventID = event.bytes
        fields.eventKey = event.bytes
        fields.topic = topic.bytes
        fields.status = .suppressed
        writer.write(fields, eventSource: source.bytes)
        let text = string(writer.valueBytes)
        let id = written {
            var ids = ApnsIDGenerator()
            ids.setEvent(source: source.bytes, eventID: event.bytes)
            ids.append(token: Text("").bytes, to: &$0)
        }
        #expect(text.contains("\"id\":\"\(id)\",\"subject\":\"e-1\""))
        #expect(text.contains(#""data":{"status":"suppressed","attempts":0,"eventId":"e-1","worker":"w","source":{"#))
        #expect(string(writer.keyBytes) == "e-1")
    }

    @Test func `hides the token in value, key and subject`() {
        // printf %s 00ff | sha256sum
        let hidden = "8909cde2f411a84e86e7a39c8a3916b7cda6a9d977778030b6f6a491401400bc"
        var writer = ReceiptWriter(source: "/g", worker: "w", disclosure: .hash)
        var fields = push.fields()
        fields.deviceID = Text("").bytes
        writer.write(fields, eventSource: source.bytes)
        let text = string(writer.valueBytes)
        #expect(string(writer.keyBytes) == hidden)
        #expect(text.contains("\"subject\":\"\(hidden)\""))
        #expect(text.contains("\"token\":\"\(hidden)\""))
        #expect(!text.contains("00ff"))
    }

    @Test func `repeats of a long text only the beginning`() {
        let long = String(repeating: "\u{1}", count: 700_000)
        let names: [PushField] = [.apnsID, .app, .environment, .eventID, .campaignID, .locationID, .deviceID]
        let block = Text(names.map { "\($0.name): \(long)\n" }.joined())
        let token = Text(long)
        var record = PushRecord()
        record.decode(block.bytes)
        var writer = ReceiptWriter(source: "/g", worker: "w", disclosure: .plain)
        var fields = ReceiptFields()
        fields.take(record, token: token.bytes)
        writer.write(fields, eventSource: source.bytes)
        #expect(string(writer.keyBytes) == String(repeating: "\u{1}", count: ReceiptFields.textBytesMax))
        // A receipt must fit a topic of the broker's default of 1 MiB.
        #expect(writer.keyBytes.count + writer.valueBytes.count < 65_536)
    }

    @Test func `stays valid JSON whatever the record says`() {
        var writer = ReceiptWriter(source: "/g\"", worker: "w\n", disclosure: .plain)
        var fields = push.fields()
        let bad = Text(bytes: [0xFF, 0x22, 0x00])
        fields.reason = bad.bytes
        fields.unregisteredAtMillis = Int64.max
        writer.write(fields, eventSource: source.bytes)
        let text = string(writer.valueBytes)
        #expect(text.contains("\"reason\":\"\u{FFFD}\\\"\\u0000\""))
        #expect(text.contains(#""unregisteredAt":"9999-12-31T23:59:59.999Z""#))
        #expect(text.contains(#""source":"/g\"""#))
        #expect(text.contains(#""worker":"w\n""#))
    }
}
