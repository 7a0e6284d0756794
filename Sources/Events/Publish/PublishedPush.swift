/// A finished push as `geopush publish push` takes it.
enum PublishedPush {
    private static let types: Words = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity",
        "pushtotalk", "widgets", "controls",
    ]

    /// Its fields.
    static let fields = ObjectDescription([
        .required("token", .token),
        .required("topic", .line(bytesMax: 255)),
        .required("body", .anyObject),
        .optional("environment", EventDescription.environment),
        .optional("pushType", .choice(types)),
        .optional("priority", .integer(1...10)),
        .optional("expiration", .integer(0...EventPushes.expirationSecondsMax)),
        .optional("collapseId", .line(bytesMax: CollapseID.bytesMax)),
        .optional("apnsId", .line(bytesMax: ApnsIDGenerator.length)),
    ])

    /// Checks a push and makes its record.
    ///
    /// - Parameters:
    ///   - push: The object.
    ///   - place: Where it stands in the input.
    ///   - nowMillis: The wall clock, its `queued-at`.
    ///   - faults: Takes what is wrong.
    /// - Returns: The record; nil after a fault.
    static func message(
        _ push: JSONValue,
        place: String,
        nowMillis: Int64,
        _ faults: inout FaultList
    ) -> PublishMessage? {
        guard push.kind == .object else {
            faults.addWrongType(push, expected: "an object")
            return nil
        }
        var noDevices = DeviceTable()
        var checked = CheckedObject(push)
        ValueCheck.check(&checked, fields, &faults, &noDevices)
        guard faults.isEmpty else { return nil }
        checkRules(push, &faults)
        var body = ByteBuffer(capacity: 1_024)
        push.member("body")?.append(to: &body)
        let bytesMax = unsafe push.member("pushType")?.string?.equals("voip") == true ? 5_120 : Payload.bytesMax
        if body.count > bytesMax {
            let expected = "a payload of at most \(bytesMax) bytes"
            faults.add(.payloadTooLarge, at: "body", found: "\(body.count) bytes", expected: expected)
        }
        var key = ByteBuffer(capacity: 128)
        guard faults.isEmpty, let token = unsafe push.member("token")?.string,
            unsafe TokenText.appendNormalized(token, to: &key)
        else { return nil }
        var header = ByteBuffer(capacity: 512)
        writeHeader(push, nowMillis, to: &header)
        return unsafe PublishMessage(
            kind: .push,
            type: "push",
            id: nil,
            place: place,
            key: Array(key.bytes),
            value: Array(body.bytes),
            headers: [RecordHeader(name: "push", value: Array(header.bytes))],
            apnsTopic: push.member("topic")?.string.map { unsafe String(decoding: $0, as: UTF8.self) }
        )
    }

    private static func writeHeader(_ push: JSONValue, _ nowMillis: Int64, to header: inout ByteBuffer) {
        header.append(.version, "1")
        let texts: [(StaticString, PushField)] = [
            ("topic", .apnsTopic), ("pushType", .apnsPushType), ("collapseId", .apnsCollapseID),
            ("apnsId", .apnsID), ("environment", .environment),
        ]
        for (name, field) in texts {
            if let value = unsafe push.member(name)?.string { unsafe header.append(field, value) }
        }
        let numbers: [(StaticString, PushField)] = [("priority", .apnsPriority), ("expiration", .apnsExpiration)]
        for (name, field) in numbers {
            if let value = push.member(name)?.integer { header.append(field, decimal: value) }
        }
        header.append(.queuedAt, decimal: nowMillis)
    }

    private static func checkRules(_ push: JSONValue, _ faults: inout FaultList) {
        let isBackground = unsafe push.member("pushType")?.string?.equals("background") ?? true
        if let priority = push.member("priority") {
            let allowed: [Int64] = isBackground ? [5] : [1, 5, 10]
            if !allowed.contains(priority.integer ?? 0) {
                let expected = isBackground ? "5, which is all that a silent push may have" : "1, 5 or 10"
                faults.add(.invalidValue, at: "priority", found: FoundText.of(priority), expected: expected)
            }
        }
        if let topic = push.member("topic"), let text = unsafe topic.string {
            let space = unsafe text.firstIndex(of: UInt8(ascii: " "), in: 0, text.count)
            if unsafe space < text.count || !UTF8Text.isPrintableASCII(text) {
                faults.add(.invalidValue, at: "topic", found: FoundText.of(topic), expected: "ASCII without spaces")
            }
        }
        if let id = push.member("collapseId"), let text = unsafe id.string, unsafe !CollapseID.isFit(text) {
            let expected = "printable ASCII without spaces around it"
            faults.add(.invalidValue, at: "collapseId", found: FoundText.of(id), expected: expected)
        }
        if let id = push.member("apnsId"), let text = unsafe id.string, unsafe !isUUID(text) {
            faults.add(.invalidValue, at: "apnsId", found: FoundText.of(id), expected: "a UUID in lower case")
        }
        if isBackground, let body = push.member("body") { checkSilent(body, &faults) }
    }

    /// A silent push wakes its app by `content-available` alone; without it, or with text, phones drop or show it.
    private static func checkSilent(_ body: JSONValue, _ faults: inout FaultList) {
        let expected = "\"content-available\": 1 and nothing else in a silent push"
        faults.path.enter("body")
        defer { faults.path.leave() }
        guard let aps = body.member("aps") else {
            faults.add(.missingField, at: "aps", found: "nothing", expected: "an object with " + expected)
            return
        }
        faults.path.enter("aps")
        defer { faults.path.leave() }
        guard aps.kind == .object else {
            faults.addWrongType(aps, expected: "an object with " + expected)
            return
        }
        if aps.member("content-available") == nil {
            faults.add(.missingField, at: "content-available", found: "nothing", expected: "1")
        }
        var members = aps.members
        while let member = members.next() {
            if unsafe member.name.equals("content-available") && member.value.integer == 1 { continue }
            unsafe faults.path.enter(key: member.name)
            faults.add(.conflictingField, found: FoundText.of(member.value), expected: "only " + expected)
            faults.path.leave()
        }
    }

    private static func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == ApnsIDGenerator.length else { return false }
        for index in 0..<text.count {
            let byte = unsafe text[index]
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            let isDigit = (byte &- 0x30) < 10 || (byte &- 0x61) < 6
            guard isDash ? byte == UInt8(ascii: "-") : isDigit else { return false }
        }
        return true
    }
}
