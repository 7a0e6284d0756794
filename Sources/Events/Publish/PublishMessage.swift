/// One record to be published, checked.
public struct PublishMessage: Sendable, Equatable {
    /// Which topic it belongs to.
    public let kind: PublishKind

    /// Its event type; `push` for a finished push.
    public let type: String

    /// Its id; nil where `topic/partition/offset` becomes the id.
    public let id: String?

    /// Where it stands in the input: `line 3`, `index 2`, or nothing for the only one.
    public let place: String

    /// The record's key.
    public let key: [UInt8]

    /// The record's value: compact JSON.
    public let value: [UInt8]

    /// The record's headers.
    public let headers: [RecordHeader]

    /// The `apns-topic` of a finished push; nil for an event.
    public let apnsTopic: String?

    /// The bytes that its record takes in a topic, rounded up.
    var bytes: Int {
        headers.reduce(key.count + value.count + PublishPlan.batchBytes) {
            $0 + $1.name.utf8.count + $1.value.count
        }
    }
}

/// Something to be said of one event of an input.
public struct PublishRemark: Sendable, Equatable, CustomStringConvertible {
    /// Where the event stands in the input: `line 3`, `index 2`, or nothing for the only one.
    public let place: String

    /// What is wrong, or worth a thought.
    public let fault: EventFault

    /// The place and the fault as a sentence.
    public var description: String { place.isEmpty ? fault.description : "\(place): \(fault.description)" }
}
