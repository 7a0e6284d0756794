import APNs

@testable import Events

extension FuzzTarget {
    /// 2026-12-01T09:30:00Z
    private static let nowMillis: Int64 = 1_796_117_400_000
    /// Enough of an audience: each device is treated like any other.
    private static let devicesMax = 64

    static func runEvent(_ input: UnsafeRawBufferPointer) {
        var lines = InputLines(input)
        let kind = TopicKind(rawValue: String(decoding: lines.next(), as: UTF8.self)) ?? .campaign
        var headers = EventHeaders()
        for _ in 0..<16 {
            let line = lines.next()
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
            headers.append(
                name: UnsafeRawBufferPointer(rebasing: line[..<colon]),
                value: UnsafeRawBufferPointer(rebasing: line[min(colon + 2, line.count)...])
            )
        }
        let topic: StaticString = "geopush.events"
        let record = EventRecord(
            kind: kind,
            topic: UnsafeRawBufferPointer(start: topic.utf8Start, count: topic.utf8CodeUnitCount),
            partition: 1,
            offset: 7,
            timestampMillis: nowMillis,
            key: nil,
            value: lines.rest
        )
        var parser = EventParser(settings: EventParserSettings(apps: [EventApp(id: "demo", topic: "com.example.demo")]))
        let outcome = parser.parse(record, headers: headers, nowMillis: nowMillis)
        let faults = parser.faults
        precondition((outcome == .faulty) == !faults.isEmpty)
        check(parser, record)
        // Nothing of a record stays for the next one.
        precondition(parser.parse(record, headers: headers, nowMillis: nowMillis) == outcome)
        precondition(parser.faults == faults)
    }

    /// What is made of an event that was taken must be taken by everybody who reads it.
    private static func check(_ parser: borrowing EventParser, _ record: EventRecord) {
        guard parser.faults.isEmpty else { return }
        precondition(parser.body.count <= Payload.bytesMax && parser.collapseID.count <= CollapseID.bytesMax)
        var document = JSONDocument()
        if parser.body.count > 0 { precondition((try? document.parse(parser.body)) != nil) }
        var pushes = EventPushes(receipts: ReceiptWriter(source: "/fuzz", worker: "w", disclosure: .plain))
        pushes.begin(parser, record: record, nowMillis: nowMillis)
        var reader = ReceiptReader()
        var push = PushRecord()
        for _ in 0..<devicesMax {
            switch pushes.next(parser) {
            case .finished: return
            case .receipt: precondition(reader.read(pushes.receiptValueBytes) != nil)
            case .push:
                push.removeAll()
                push.decode(pushes.headerBytes)
                precondition(push.integer(.version, absent: 0) == 1)
                precondition(request(push, token: pushes.keyBytes, body: parser.body) != nil)
            }
        }
    }

    static func runPlan(_ input: UnsafeRawBufferPointer) {
        let plan = PublishPlan(input: Array(input), kind: nil, apps: [], nowMillis: nowMillis)
        precondition(!plan.faults.isEmpty || !plan.messages.isEmpty)
        guard plan.faults.isEmpty else { return }
        for message in plan.messages.prefix(devicesMax) where message.kind != .push {
            let again = PublishPlan(input: message.value, kind: message.kind, apps: [], nowMillis: nowMillis)
            precondition(again.faults.isEmpty && again.messages.map(\.value) == [message.value])
        }
    }

    static func runPush(_ input: UnsafeRawBufferPointer) {
        var push = PushRecord()
        push.decode(input)
        let token: StaticString = "00ff"
        let key = UnsafeRawBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
        if let request = request(push, token: key, body: key) {
            for value in [request.topic, request.collapseID, request.apnsID] {
                precondition(value.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
            }
        }
        let before = PushField.allCases.map { Array(push[$0]) }
        for field in PushField.allCases { _ = push.integer(field, absent: 0) }
        var copy = ByteBuffer(capacity: 64)
        push.copyValues(to: &copy)
        push.moveValues(to: copy.bytes)
        precondition(PushField.allCases.map { Array(push[$0]) } == before)
        checkReceipt(of: push, token: key)
    }

    private static func checkReceipt(of push: borrowing PushRecord, token: UnsafeRawBufferPointer) {
        var fields = ReceiptFields()
        fields.take(push, token: token)
        var writer = ReceiptWriter(source: "/fuzz", worker: "w", disclosure: .hash)
        writer.write(fields, eventSource: token)
        var reader = ReceiptReader()
        precondition(reader.read(writer.valueBytes)?.status == "accepted")
    }

    private static func request(
        _ push: borrowing PushRecord,
        token: UnsafeRawBufferPointer,
        body: UnsafeRawBufferPointer
    ) -> PushRequest? {
        var fields = PushFields()
        fields.token = token
        fields.topic = push[.apnsTopic]
        fields.pushType = push[.apnsPushType]
        fields.priority = push[.apnsPriority]
        fields.expiration = push[.apnsExpiration]
        fields.collapseID = push[.apnsCollapseID]
        fields.apnsID = push[.apnsID]
        fields.body = body
        return try? PushRequest(fields, defaultExpirationSeconds: nowMillis / 1_000)
    }

    static func runReceipt(_ input: UnsafeRawBufferPointer) {
        var reader = ReceiptReader()
        guard let receipt = reader.read(input) else { return }
        var document = JSONDocument()
        Array(receipt.dataJSON.utf8).withUnsafeBytes { data in precondition((try? document.parse(data)) != nil) }
        precondition(reader.read(input) == receipt)
    }
}
