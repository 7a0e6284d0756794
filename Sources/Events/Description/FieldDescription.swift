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
    /// The most fields of one object.
    static let fieldsMax = 16

    private static let slotCount = 64

    /// The fields.
    let fields: [FieldDescription]

    /// One bit for each required field.
    let requiredFields: UInt64

    /// The shapes of the fields that are plain.
    let plainShapes: InlineArray<16, PlainShape>

    /// What each field is called where it is read.
    let readFields: InlineArray<16, EventField>

    /// One more than a field's index, at the place that its name leads to or, where that is taken, after it.
    private let slots: InlineArray<64, UInt8>

    init(_ fields: [FieldDescription]) {
        precondition(fields.count <= Self.fieldsMax)
        self.fields = fields
        var required: UInt64 = 0
        var plainShapes = InlineArray<16, PlainShape>(repeating: .none)
        var readFields = InlineArray<16, EventField>(repeating: .none)
        var slots = InlineArray<64, UInt8>(repeating: 0)
        for (index, field) in fields.enumerated() {
            if field.isRequired { required |= 1 << UInt64(index) }
            plainShapes[index] = field.shape.plain
            readFields[index] = EventField(named: field.name)
            var slot = unsafe Self.slot(of: field.name.bytes)
            while slots[slot] != 0 { slot = (slot + 1) % Self.slotCount }
            slots[slot] = UInt8(index + 1)
        }
        requiredFields = required
        self.plainShapes = plainShapes
        self.readFields = readFields
        self.slots = slots
    }

    /// Finds a field by its name.
    ///
    /// - Parameter name: The name.
    /// - Returns: Its index; nil when there is no such field.
    @inline(__always)
    func index(of name: UnsafeRawBufferPointer) -> Int? {
        guard name.count > 0 else { return nil }
        var slot = unsafe Self.slot(of: name)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) &- 1
            if unsafe name.equals(fields[index].name) { return index }
            slot = (slot &+ 1) % Self.slotCount
        }
        return nil
    }

    /// Where the search for a name begins: its length and three of its bytes tell nearly all names apart.
    @inline(__always)
    private static func slot(of name: UnsafeRawBufferPointer) -> Int {
        let last = name.count &- 1
        let ends = unsafe UInt32(name[0]) | UInt32(name[last]) << 8
        let key = unsafe ends | UInt32(name[last / 2]) << 16 | UInt32(truncatingIfNeeded: name.count) << 24
        return Int((key &* 0x9E37_79B1) >> 26)
    }
}
