import Events
import Testing

@Suite struct PushRecordTests {
    static let block = Text(
        """
        geopush-version: 1
        apns-topic: com.example.app
        apns-expiration:1764581400
        x-other: 1
        apns-collapse-id: a: b
        device-id:  spaced
        apns-id: 
        revision: 7

        """
    )

    @Test func `reads the lines of one header`() {
        var push = PushRecord()
        push.decode(Self.block.bytes)
        #expect(string(push[.apnsTopic]) == "com.example.app")
        #expect(push.integer(.apnsExpiration, absent: 0) == 1_764_581_400)
        #expect(string(push[.apnsCollapseID]) == "a: b")
        #expect(string(push[.deviceID]) == " spaced")
        #expect(push.integer(.revision, absent: 0) == 7)
    }

    @Test func `counts an empty value as absent`() {
        var push = PushRecord()
        push.decode(Self.block.bytes)
        #expect(push.has(.apnsID) == false)
        #expect(push[.apnsID].isEmpty)
        #expect(push.has(.campaignID) == false)
    }

    @Test(arguments: ["", "\n\n", "apns-topic", ":", ": x", "apns-topic x\n", "unknown: 1\n", "Apns-Topic: a\n"])
    func `ignores lines that say nothing`(text: String) {
        let block = Text(text)
        var push = PushRecord()
        push.decode(block.bytes)
        for field in PushField.allCases { #expect(push.has(field) == false) }
    }

    @Test func `reads a last line without its newline and a carriage return`() {
        let block = Text("app: demo\r\nevent-id: e1")
        var push = PushRecord()
        push.decode(block.bytes)
        #expect(string(push[.app]) == "demo")
        #expect(string(push[.eventID]) == "e1")
    }

    @Test(arguments: PushField.allCases)
    func `finds every field by its name, as a line and as a header`(field: PushField) {
        let name = Text(String(describing: field.name))
        let value = Text("v")
        #expect(PushField.named(name.bytes) == field)
        var push = PushRecord()
        push.append(name: name.bytes, value: value.bytes)
        #expect(string(push[field]) == "v")
        push.append(name: name.bytes, value: nil)
        #expect(string(push[field]) == "v")
        push.removeAll()
        #expect(push.has(field) == false)
    }

    @Test func `takes the block among separate headers, and the later wins`() {
        let (push, app, first, block) = (Text("push"), Text("app"), Text("first"), Text("app: second\n"))
        var record = PushRecord()
        record.append(name: app.bytes, value: first.bytes)
        record.append(name: push.bytes, value: block.bytes)
        #expect(string(record[.app]) == "second")
    }

    @Test func `keeps every value when its bytes move, whatever is in them`() {
        var push = PushRecord()
        push.decode(Self.block.bytes)
        let (name, value) = (Text("event-id"), Text("e-1\napns-topic: com.example.other\r\n"))
        push.append(name: name.bytes, value: value.bytes)
        let before = PushField.allCases.map { string(push[$0]) }
        var buffer = ByteBuffer()
        push.copyValues(to: &buffer)
        push.moveValues(to: buffer.bytes)
        #expect(PushField.allCases.map { string(push[$0]) } == before)
        let start = buffer.bytes.baseAddress
        #expect(push[.apnsTopic].baseAddress == start)
    }

    @Test(arguments: [
        ("0", 0), ("-1", -1), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ])
    func `reads whole numbers`(text: String, number: Int64) {
        let block = Text("revision: " + text)
        var push = PushRecord()
        push.decode(block.bytes)
        #expect(push.integer(.revision, absent: 5) == number)
    }

    @Test(arguments: ["-", "1a", "+1", "1.0", " 1", "9223372036854775808", "99999999999999999999999"])
    func `refuses what is no whole number`(text: String) {
        let block = Text("revision: " + text)
        var push = PushRecord()
        push.decode(block.bytes)
        #expect(push.integer(.revision, absent: 5) == nil)
        #expect(push.integer(.queuedAt, absent: 5) == 5)
    }

    @Test func `derives the id from source, event and token`() {
        // python3 -c 'import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, "/shop|e-1|00ff"))'
        var ids = ApnsIDGenerator()
        ids.setEvent(source: Text("/shop").bytes, eventID: Text("e-1").bytes)
        let first = written { ids.append(token: Text("00ff").bytes, to: &$0) }
        #expect(first == "87f96be8-50c2-54e1-871f-f327a225b6e4")
        #expect(written { ids.append(token: Text("").bytes, to: &$0) } == "7999dda7-a090-5eec-b744-b77a9ed9c9f5")
        #expect(written { ids.append(token: Text("00ff").bytes, to: &$0) } == first)
    }
}
