import Events
import Testing

@Suite struct DeadLetterTests {
    private func letter(_ value: [UInt8]?, message: String = "m") -> DeadLetter {
        DeadLetter(
            topic: "geopush.location-events",
            partition: 3,
            offset: 12,
            code: "geopush:missing-field",
            message: message,
            value: value.map { Text(bytes: $0).bytes }
        )
    }

    private func text(_ letter: DeadLetter, _ name: String) -> String? {
        letter.headers.first { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
    }

    @Test func `says where the record was and why it is here`() {
        let letter = letter([1])
        #expect(!letter.omitsValue)
        #expect(letter.headers.map(\.name) == ["dlq.topic", "dlq.partition", "dlq.offset", "dlq.code", "dlq.message"])
        #expect(text(letter, "dlq.topic") == "geopush.location-events")
        #expect(text(letter, "dlq.partition") == "3")
        #expect(text(letter, "dlq.offset") == "12")
    }

    @Test func `takes the first code and all sentences of an event's faults`() {
        let read = Read(location(["latitude": "91", "app": nil]), kind: .location)
        let record = EventRecord(
            kind: .location,
            topic: Text("t").bytes,
            partition: 0,
            offset: 0,
            timestampMillis: 0,
            key: nil,
            value: nil
        )
        let letter = DeadLetter(record, faults: read.faults)
        #expect(text(letter, "dlq.code") == "geopush:invalid-value")
        #expect(
            text(letter, "dlq.message")?.hasPrefix("$.latitude: found 91, expected a number from -90 to 90; $.app: ")
                == true
        )
    }

    @Test func `keeps a value up to a limit, and its digest above`() {
        let fits = [UInt8](repeating: 0x61, count: DeadLetter.valueBytesMax)
        #expect(!letter(fits).omitsValue)
        #expect(!letter(nil).omitsValue && !letter([]).omitsValue)
        let over = letter(fits + [0x61])
        #expect(over.omitsValue)
        #expect(text(over, "dlq.value.omitted") == "true")
        #expect(text(over, "dlq.value.size") == String(fits.count + 1))
        #expect(text(over, "dlq.value.sha256")?.count == 64)
    }

    @Test func `cuts a long message between characters`() {
        let cut = text(letter([], message: String(repeating: "近", count: 3_000)), "dlq.message")
        #expect(cut == String(repeating: "近", count: 1_364) + "…")
    }
}
