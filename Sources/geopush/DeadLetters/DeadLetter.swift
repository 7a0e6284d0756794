internal import EventLoop
internal import Kafka
internal import Operations

/// One record of the topic of dead letters, copied.
struct DeadLetter {
    /// Its own place.
    let place: RecordPlace
    /// When it was written, in milliseconds since 1970.
    let timeMillis: Int64
    /// The topic that it came from; nil where nobody says.
    let topic: String?
    /// Its place there; nil where nobody says.
    let origin: RecordPlace?
    /// The kind of its fault.
    let code: String
    /// What is wrong with it.
    let message: String
    /// What was too large to be kept: `key`, `headers`, `value`.
    let omitted: [String]
    /// The key as it came; nil is null, or omitted.
    let key: [UInt8]?
    /// The value as it came; nil is null, or omitted.
    let value: [UInt8]?
    /// The headers as they came.
    let headers: [(name: String, value: [UInt8]?)]

    init(_ record: borrowing Record) {
        place = RecordPlace(partition: record.partition, offset: record.offset)
        timeMillis = record.timestampMillis
        key = unsafe record.key.map { unsafe Array($0) }
        value = unsafe record.value.map { unsafe Array($0) }
        var facts: [String: String] = [:]
        var headers: [(name: String, value: [UInt8]?)] = []
        if let list = record.headerList {
            for index in 0..<list.count {
                let header = list[index]
                let name = unsafe String(decoding: header.name, as: UTF8.self)
                let bytes = unsafe header.value.map { unsafe Array($0) }
                if name.hasPrefix("dlq.") {
                    facts[name] = String(decoding: bytes ?? [], as: UTF8.self)
                } else {
                    headers.append((name, bytes))
                }
            }
        }
        self.headers = headers
        topic = facts["dlq.topic"].flatMap { $0.isEmpty ? nil : $0 }
        origin = RecordPlace("\(facts["dlq.partition"] ?? ""):\(facts["dlq.offset"] ?? "")")
        code = facts["dlq.code"] ?? ""
        message = facts["dlq.message"] ?? ""
        omitted = ["key", "headers", "value"].filter { facts["dlq.\($0).omitted"] == "true" }
    }

    /// When it was written, as text.
    var time: String { Timestamp.rfc3339(millis: max(0, timeMillis)) }

    /// Where it came from: `topic/partition/offset`.
    var source: String {
        guard let topic else { return "-" }
        return origin.map { "\(topic)/\($0.partition)/\($0.offset)" } ?? topic
    }

    /// Its key as a person reads it.
    var keyText: String { key.map { VisibleText.line(String(decoding: $0, as: UTF8.self)) } ?? "-" }

    /// Why it cannot be sent back; nil when it can.
    var refusal: String? {
        guard topic != nil else { return "it does not say which topic it came from" }
        guard omitted.isEmpty else {
            let verb = omitted.count == 1 ? "was" : "were"
            return "its \(omitted.joined(separator: " and ")) \(verb) too large to be kept: publish the event again"
        }
        return nil
    }

    /// One JSON object on one line.
    ///
    /// - Parameter isFull: With headers and value.
    /// - Returns: The line.
    func json(isFull: Bool) -> String {
        var members = [
            "\"partition\":\(place.partition)", "\"offset\":\(place.offset)", "\"time\":\"\(time)\"",
            "\"source\":\(sourceJSON)", "\"code\":\(JSONText.quoted(code))", "\"message\":\(JSONText.quoted(message))",
            VisibleText.member("key", key), "\"valueBytes\":\(value.map { "\($0.count)" } ?? "null")",
            "\"omitted\":[\(omitted.map { "\"\($0)\"" }.joined(separator: ","))]",
        ]
        if isFull {
            let list = headers.map { "{\"name\":\(JSONText.quoted($0.name)),\(VisibleText.member("value", $0.value))}" }
            members += ["\"headers\":[\(list.joined(separator: ","))]", VisibleText.member("value", value)]
        }
        return "{\(members.joined(separator: ","))}\n"
    }

    private var sourceJSON: String {
        guard let topic else { return "null" }
        let place = origin.map { ",\"partition\":\($0.partition),\"offset\":\($0.offset)" } ?? ""
        return "{\"topic\":\(JSONText.quoted(topic))\(place)}"
    }
}
