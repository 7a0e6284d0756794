import Testing

@testable import Events

/// Events with random damage, the same at every run: whatever comes in, the parsers answer and what goes out is sound.
@Suite struct MutationTests {
    /// SplitMix64.
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
    }

    private static let pieces = [
        "{", "}", "[", "]", "\"", ":", ",", "null", "true", "-1", "1e400", "0.5", "\\u0000", "\\ud800", "\\", "近",
        "\"token\":\"00\"", "\"devices\":[", "\u{0}", "1e5", "\"custom\":{", "[[[[[[[[", "99999999999999999999",
    ].map { Array($0.utf8) }

    private func corpus() throws -> [[UInt8]] {
        let names = [
            "Config/examples/location-sale.json", "Config/examples/campaign-silent.json",
            "Config/examples/device-registered.json", "Tests/EventsTests/Golden/campaign-alert.event.json",
        ]
        return try names.map(repositoryFile) + [Array(campaign().utf8), Array(location().utf8)]
    }

    private func mutate(_ bytes: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.removeSubrange(place..<min(place + Int.random(in: 1...12, using: &generator), bytes.count))
            case 3: bytes.removeLast(bytes.count - place)
            case 4:
                let end = min(place + Int.random(in: 1...40, using: &generator), bytes.count)
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &generator))
            default:
                let piece = Self.pieces.randomElement(using: &generator) ?? []
                bytes.insert(contentsOf: piece, at: place)
            }
        }
        return bytes
    }

    @Test func `answers damaged events and sends only what is sound`() throws {
        var generator = Generator(state: 42)
        let corpus = try corpus()
        for round in 0..<3_000 {
            let bytes = mutate(corpus[round % corpus.count], &generator)
            let kind = TopicKind.allCases[round / corpus.count % 3]
            let read = Read(bytes, kind: kind)
            #expect((read.outcome == .faulty) == !read.faults.isEmpty)
            #expect(read.body.utf8.count <= 4_096)
            var document = JSONDocument()
            for push in read.pushes {
                _ = try document.parse(Text(push.body).bytes)
                #expect(!push.key.isEmpty && push.key.utf8.count % 2 == 0)
                #expect(push.field(.apnsID).utf8.count == 36)
                #expect(push.header.split(separator: "\n").allSatisfy { $0.contains(": ") })
                #expect(push.field(.apnsCollapseID).utf8.count <= 64)
            }
        }
    }

    @Test func `finds the fault of every document that the parser refuses`() throws {
        var generator = Generator(state: 7)
        var document = JSONDocument()
        let corpus = try corpus()
        for round in 0..<6_000 {
            let text = Text(bytes: mutate(corpus[round % corpus.count], &generator))
            var isRefused = false
            do throws(JSONError) { _ = try document.parse(text.bytes) } catch { isRefused = true }
            let fault = JSONFaultLocator.locate(text.bytes)
            // simdjson takes some halves of surrogate pairs; they end as U+FFFD or are refused as ids.
            let isKnown = fault?.problem == "half of a surrogate pair"
            #expect((fault != nil) == isRefused || isKnown, "\(string(text.bytes)) \(fault.map { "\($0)" } ?? "-")")
        }
    }

    @Test func `reads damaged push records and receipts`() {
        var generator = Generator(state: 3)
        let block = Array("geopush-version: 1\napns-topic: a.b\nevent-id: e\nqueued-at: 12\napp: x\r\n".utf8)
        let receipt = Array(#"{"type":"push.receipt","data":{"status":"accepted","attempts":1,"token":"00"}}"#.utf8)
        var push = PushRecord()
        var reader = ReceiptReader()
        for _ in 0..<3_000 {
            push.removeAll()
            push.decode(Text(bytes: mutate(block, &generator)).bytes)
            for field in PushField.allCases {
                _ = string(push[field])
                _ = push.integer(field, absent: 0)
            }
            _ = reader.read(Text(bytes: mutate(receipt, &generator)).bytes)
        }
    }
}
