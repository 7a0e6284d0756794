/// One field of an object that teams publish.
struct FieldDescription: Sendable {
    /// Its name.
    let name: StaticString

    /// What it holds.
    let shape: ValueShape

    /// Whether the object is faulty without it.
    let isRequired: Bool

    /// Describes a field that must be there.
    static func required(_ name: StaticString, _ shape: ValueShape) -> FieldDescription {
        FieldDescription(name: name, shape: shape, isRequired: true)
    }

    /// Describes a field that may be there.
    static func optional(_ name: StaticString, _ shape: ValueShape) -> FieldDescription {
        FieldDescription(name: name, shape: shape, isRequired: false)
    }
}

/// An object that teams publish: its fields; others are ignored.
final class ObjectDescription: Sendable {
    /// The fields, at most 64.
    let fields: [FieldDescription]

    /// One bit for each required field.
    let requiredFields: UInt64

    init(_ fields: [FieldDescription]) {
        self.fields = fields
        var required: UInt64 = 0
        for (index, field) in fields.enumerated() where field.isRequired { required |= 1 << UInt64(index) }
        requiredFields = required
    }
}
