import Events
import Testing

@Suite struct ReceiptReaderTests {
    @Test func `reads what the writer writes`() throws {
        let push = ReceiptWriterTests.Push()
        var writer = ReceiptWriter(source: "/g", worker: "host-1", disclosure: .plain)
        writer.write(push.fields(), eventSource: Text("/shop").bytes)
        var reader = ReceiptReader()
        let read = reader.read(writer.valueBytes)
        let receipt = try #require(read)
        #expect(receipt.id == "0b6b8a0c-0000-5000-8000-000000000001")
        #expect(receipt.time == "2026-12-01T09:30:00.020Z")
        #expect(receipt.status == "rejected")
        #expect(receipt.reason == "BadDeviceToken")
        #expect(receipt.httpStatus == 400)
        #expect(receipt.attempts == 1)
        #expect(receipt.campaignID == "夏\"sale\"")
        #expect(receipt.deviceID == "d-1")
        #expect(receipt.token == "00ff")
        #expect(receipt.unregisteredAt == nil)
        #expect(receipt.worker == "host-1")
        let text = string(writer.valueBytes)
        #expect(text.hasSuffix("\"data\":" + receipt.dataJSON + "}"))
    }

    @Test(arguments: [
        "", "{", "[]", "7", "{}", #"{"type":"push.receipt"}"#, #"{"type":"push.receipt","data":[]}"#,
        #"{"type":"push.receipt","data":{}}"#, #"{"type":"other","data":{"status":"accepted"}}"#,
        #"{"type":7,"data":{"status":"accepted"}}"#, #"{"type":"push.receipt","data":{"status":7}}"#,
    ])
    func `refuses what is no receipt`(text: String) {
        var reader = ReceiptReader()
        let receipt = reader.read(Text(text).bytes)
        #expect(receipt == nil)
    }

    @Test func `takes a receipt of a later version with what it knows`() throws {
        var reader = ReceiptReader()
        let text = #"{"type":"push.receipt","data":{"status":"moved","httpStatus":"200","new":[1]}}"#
        let read = reader.read(Text(text).bytes)
        let receipt = try #require(read)
        #expect(receipt.status == "moved")
        #expect(receipt.httpStatus == nil)
        #expect(receipt.dataJSON == #"{"status":"moved","httpStatus":"200","new":[1]}"#)
    }
}
