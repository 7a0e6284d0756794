/// Splits an input into events and checks each.
struct PublishPlanner: ~Copyable {
    private let kind: PublishKind?
    private let nowMillis: Int64
    private var parser: EventParser
    private var document = JSONDocument()
    private var text = ByteBuffer(capacity: 4_096)
    private var plan = PublishPlan()

    init(kind: PublishKind?, apps: [EventApp], nowMillis: Int64) {
        self.kind = kind
        self.nowMillis = nowMillis
        var settings = EventParserSettings(apps: apps)
        settings.servesDeviceTable = true
        settings.keepsSchedules = true
        parser = EventParser(settings: settings)
    }

    consuming func finish() -> PublishPlan { plan }

    /// Reads a whole input.
    mutating func read(_ input: UnsafeRawBufferPointer) {
        do throws(JSONError) {
            let root = try unsafe document.parse(input)
            guard root.kind == .array else { return add(root, place: "") }
            var elements = root.elements
            var index = 0
            while let element = elements.next() {
                add(element, place: "index \(index)")
                index += 1
            }
            if index == 0 { refuse("", .invalidValue, found: "an empty array", expected: "one or more events") }
        } catch {
            if unsafe isOneALine(input) { return unsafe readLines(input) }
            var faults = FaultList()
            unsafe faults.addMalformed(input, error)
            take(faults.faults, place: "")
        }
    }

    /// Whether the first line with anything on it is a document of its own.
    private mutating func isOneALine(_ input: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while start < input.count {
            let end = unsafe input.firstIndex(of: UInt8(ascii: "\n"), in: start, input.count)
            do throws(JSONError) {
                _ = try unsafe document.parse(input.part(start, end))
                return end < input.count
            } catch {
                guard error == .empty else { return false }
            }
            start = end + 1
        }
        return false
    }

    private mutating func readLines(_ input: UnsafeRawBufferPointer) {
        var start = 0
        var line = 1
        while start < input.count {
            let end = unsafe input.firstIndex(of: UInt8(ascii: "\n"), in: start, input.count)
            let part = unsafe input.part(start, end)
            do throws(JSONError) {
                add(try unsafe document.parse(part), place: "line \(line)")
            } catch {
                if error != .empty {
                    var faults = FaultList()
                    unsafe faults.addMalformed(part, error, firstLine: line)
                    take(faults.faults, place: "line \(line)")
                }
            }
            start = end + 1
            line += 1
        }
    }

    private mutating func add(_ event: JSONValue, place: String) {
        guard let kind = kind ?? guess(event) else { return refuseUnknown(event, place: place) }
        text.removeAll()
        event.append(to: &text)
        if let topic = kind.topicKind {
            addEvent(kind, topic, isBare: event.member("specversion") == nil, place)
        } else {
            addPush(event, place)
        }
    }

    /// What an event without a topic is: by its type, else by the fields that only one kind has.
    private func guess(_ event: JSONValue) -> PublishKind? {
        if event.member("specversion") != nil {
            guard let type = unsafe event.member("type")?.string else { return .location }
            let name = unsafe String(decoding: type, as: UTF8.self)
            return EventType(rawValue: name).flatMap { PublishKind(rawValue: $0.kind.rawValue) }
        }
        if event.member("body") != nil && event.member("topic") != nil { return .push }
        if event.member("campaignId") != nil { return .campaign }
        if event.member("locationId") != nil { return .location }
        if event.member("deviceId") != nil { return .device }
        return event.member("body") != nil || event.member("topic") != nil ? .push : nil
    }

    private mutating func addEvent(_ kind: PublishKind, _ topic: TopicKind, isBare: Bool, _ place: String) {
        let record = unsafe EventRecord(
            kind: topic,
            topic: ("-" as StaticString).bytes,
            partition: 0,
            offset: 0,
            timestampMillis: nowMillis,
            key: nil,
            value: text.bytes
        )
        let outcome = parser.parse(record, headers: EventHeaders(), nowMillis: nowMillis)
        guard outcome == .event else { return take(parser.faults, place: place) }
        let event = parser.event
        let contentType = isBare ? "application/json" : "application/cloudevents+json"
        let message = unsafe PublishMessage(
            kind: kind,
            type: event.type.rawValue,
            id: isBare ? nil : String(decoding: event.id, as: UTF8.self),
            place: place,
            key: Array(event.key),
            value: Array(text.bytes),
            headers: [RecordHeader(name: "content-type", value: Array(contentType.utf8))],
            apnsTopic: nil
        )
        guard message.bytes <= PublishPlan.recordBytesMax else {
            let found = "a record of \(message.bytes) bytes"
            return refuse(place, .recordTooLarge, found: found, expected: "at most \(PublishPlan.recordBytesMax)")
        }
        plan.messages.append(message)
        for warning in EventWarning.of(event, isBare: isBare, nowMillis: nowMillis) {
            plan.warnings.append(PublishRemark(place: place, fault: warning))
        }
    }

    private mutating func addPush(_ push: JSONValue, _ place: String) {
        var faults = FaultList()
        if let message = PublishedPush.message(push, place: place, nowMillis: nowMillis, &faults) {
            plan.messages.append(message)
        }
        take(faults.faults, place: place)
    }

    private mutating func take(_ faults: [EventFault], place: String) {
        plan.faults += faults.map { PublishRemark(place: place, fault: $0) }
    }

    private mutating func refuseUnknown(_ event: JSONValue, place: String) {
        var faults = FaultList()
        if event.member("specversion") != nil, let type = event.member("type") {
            let expected = EventType.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            faults.add(.unknownType, at: "type", found: FoundText.of(type), expected: expected)
        } else {
            let expected = "an event with its envelope, or the data of a location, a campaign, a device or a push"
            faults.add(.unknownType, found: FoundText.of(event), expected: expected)
        }
        take(faults.faults, place: place)
    }

    private mutating func refuse(_ place: String, _ code: FaultCode, found: String, expected: String) {
        take([EventFault(code: code, path: "$", found: found, expected: expected)], place: place)
    }
}
