/// The kinds of faults of an event; the raw value is the `dlq.code` of its dead letter.
public enum FaultCode: String, CaseIterable, Sendable {
    /// No JSON.
    case malformedJSON = "geopush:malformed-json"

    /// A content type, an encoding or a version that is not read here.
    case unsupportedEnvelope = "geopush:unsupported-envelope"

    /// An event type that is unknown, or belongs to another topic.
    case unknownType = "geopush:unknown-type"

    /// A required field is not there.
    case missingField = "geopush:missing-field"

    /// A field of another JSON type than it must have.
    case wrongType = "geopush:wrong-type"

    /// A value out of range, or an unknown word.
    case invalidValue = "geopush:invalid-value"

    /// A field twice in one object.
    case duplicateField = "geopush:duplicate-field"

    /// A field that stands where, or together with what, it must not.
    case conflictingField = "geopush:conflicting-field"

    /// A name in `custom` that the payload needs itself.
    case reservedField = "geopush:reserved-field"

    /// An app that the configuration does not name.
    case unknownApp = "geopush:unknown-app"

    /// More bytes than APNs takes.
    case payloadTooLarge = "geopush:payload-too-large"

    /// More bytes than the topic takes.
    case recordTooLarge = "geopush:record-too-large"

    /// An audience that needs the device table.
    case audienceUnavailable = "geopush:audience-unavailable"

    /// A delivery later than the next minute.
    case schedulingUnavailable = "geopush:scheduling-unavailable"
}
