/// An object that teams publish: its fields; others are ignored.
///
/// It lives as long as the process and never changes, so that a copy of it, or of a shape that holds it, is a pointer
/// and counts no references.
@safe
struct ObjectDescription: @unchecked Sendable {
    /// The most fields of one object.
    static let fieldsMax = 16

    private static let slotCount = 64

    @safe
    private struct Table {
        let fields: InlineArray<16, FieldDescription>
        let names: InlineArray<16, UnsafeRawBufferPointer>
        let count: Int
        let requiredFields: UInt64
        /// One more than a field's index, at the place that its name leads to or, where that is taken, after it.
        let slots: InlineArray<64, UInt8>
    }

    private let table: UnsafePointer<Table>

    /// Describes an object for as long as the process lives.
    init(_ fields: [FieldDescription]) {
        precondition(!fields.isEmpty && fields.count <= Self.fieldsMax)
        var required: UInt64 = 0
        var slots = InlineArray<64, UInt8>(repeating: 0)
        for (index, field) in fields.enumerated() {
            if field.isRequired { required |= 1 << UInt64(index) }
            var slot = unsafe Self.slot(of: field.name.bytes)
            while slots[slot] != 0 { slot = (slot + 1) % Self.slotCount }
            slots[slot] = UInt8(index + 1)
        }
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        unsafe table.initialize(
            to: Table(
                fields: InlineArray { fields[min($0, fields.count - 1)] },
                names: InlineArray { unsafe fields[min($0, fields.count - 1)].name.bytes },
                count: fields.count,
                requiredFields: required,
                slots: slots
            )
        )
        unsafe self.table = UnsafePointer(table)
    }

    /// The fields' places.
    var indices: Range<Int> { unsafe 0..<table.pointee.count }

    /// The field at a place.
    @inline(__always)
    subscript(_ index: Int) -> FieldDescription { unsafe table.pointee.fields[index] }

    /// One bit for each required field.
    var requiredFields: UInt64 { unsafe table.pointee.requiredFields }

    /// Finds a field by its name.
    ///
    /// - Parameter name: The name.
    /// - Returns: Its index; nil when there is no such field.
    @inline(__always)
    func index(of name: UnsafeRawBufferPointer) -> Int? {
        guard name.count > 0 else { return nil }
        var slot = unsafe Self.slot(of: name)
        while true {
            let number = unsafe Int(table.pointee.slots[slot])
            guard number != 0 else { return nil }
            if unsafe name.equals(table.pointee.names[number &- 1]) { return number &- 1 }
            slot = (slot &+ 1) % Self.slotCount
        }
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
