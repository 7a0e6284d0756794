/// One field of an object that teams publish.
struct FieldDescription: Sendable {
    /// Its name.
    let name: StaticString

    /// What it holds.
    let shape: ValueShape

    /// Whether the object is faulty without it.
    let isRequired: Bool

    /// What it is called where it is read.
    let readField: EventField

    private init(_ name: StaticString, _ shape: ValueShape, isRequired: Bool) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        readField = EventField(named: name)
    }

    /// Describes a field that must be there.
    static func required(_ name: StaticString, _ shape: ValueShape) -> FieldDescription {
        FieldDescription(name, shape, isRequired: true)
    }

    /// Describes a field that may be there.
    static func optional(_ name: StaticString, _ shape: ValueShape) -> FieldDescription {
        FieldDescription(name, shape, isRequired: false)
    }
}
