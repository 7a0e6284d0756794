import Events
import Testing

@Suite struct DeviceTests {
    private func read(_ devices: String) -> Read { Read(campaign(["audience": "{\"devices\":[\(devices)]}"])) }

    @Test func `makes one push a device, in order`() {
        let read = read(
            #"{"token":"AA01","deviceId":"d-1"},{"environment":"sandbox","token":"aa02"},{"token":"aa03","x":[1]}"#
        )
        #expect(read.pushes.map(\.key) == ["aa01", "aa02", "aa03"])
        #expect(read.pushes.map { $0.field(.deviceID) } == ["d-1", "", ""])
        #expect(read.pushes.map { $0.field(.environment) } == ["production", "sandbox", "production"])
        #expect(Set(read.pushes.map { $0.field(.apnsID) }).count == 3)
        #expect(Set(read.pushes.map(\.body)).count == 1)
    }

    @Test func `pushes once to a token that is named twice, in any case`() {
        let read = read(#"{"token":"aa01","deviceId":"d-1"},{"token":"AA01","deviceId":"d-2"},{"token":"aa02"}"#)
        #expect(read.pushes.map(\.key) == ["aa01", "aa02"])
        #expect(read.pushes.first?.field(.deviceID) == "d-1")
    }

    @Test func `gives a device with a malformed token a receipt, and the others their push`() throws {
        let read = read(
            #"{"token":"zz","deviceId":"d-1"},{"token":"00ff"},{"token":"abc"},{"token":""},{"token":"abc"}"#
        )
        #expect(read.pushes.map(\.key) == ["00ff"])
        #expect(read.receipts.map(\.token) == ["zz", "abc", nil])
        let receipt = try #require(read.receipts.first)
        #expect(receipt.status == "rejected")
        #expect(receipt.reason == "geopush:invalid-token")
        #expect(receipt.deviceID == "d-1")
        #expect(receipt.attempts == 0)
        #expect(receipt.apnsID == nil)
        #expect(receipt.campaignID == "summer")
        #expect(Set(read.receipts.map(\.id)).count == 3)
    }

    @Test func `cuts a malformed token in its receipt`() {
        let read = read("{\"token\":\"\(String(repeating: "x", count: 5_000))\"}")
        #expect(read.receipts.first?.token?.count == 256)
    }

    @Test(arguments: [1, 31, 32, 33, 10_000])
    func `takes many devices`(count: Int) {
        let tokens = (0..<count).map { index in
            let digits = String(index, radix: 16)
            return String(repeating: "0", count: 64 - digits.count) + digits
        }
        let entries = tokens.map { "{\"token\":\"\($0)\"}" }
        let read = read((entries + entries).joined(separator: ","))
        #expect(read.pushes.map(\.key) == tokens)
        #expect(Set(read.pushes.map { $0.field(.apnsID) }).count == count)
    }

    @Test func `forgets the devices of the event before`() {
        var parser = EventParser(settings: Read.settings)
        let headers = EventHeaders()
        for devices in [#"{"token":"00"},{"token":"01"}"#, #"{"token":"00"}"#, "7", #"{"token":"00"}"#] {
            let record = EventRecord(
                kind: .campaign,
                topic: Text("t").bytes,
                partition: 0,
                offset: 0,
                timestampMillis: Read.now,
                key: nil,
                value: Text(campaign(["audience": "{\"devices\":[\(devices)]}"])).bytes
            )
            let outcome = parser.parse(record, headers: headers, nowMillis: Read.now)
            let count = parser.deviceCount
            #expect(outcome == (devices == "7" ? .faulty : .event))
            #expect(count == devices.filter { $0 == "{" }.count)
        }
    }
}
