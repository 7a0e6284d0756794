/// An object that was checked against its description: what is read of it is found without a search.
struct CheckedObject {
    /// The object.
    let value: JSONValue

    /// Where the value of each field stands; 0 where it has none.
    private var places = InlineArray<32, UInt32>(repeating: 0)

    /// Makes an object of which no field has been found yet.
    init(_ value: JSONValue) { self.value = value }

    /// Notes the value of a field; what is noted of ``EventField/none`` is never read.
    @inline(__always)
    mutating func found(_ field: EventField, _ value: JSONValue) { places[Int(field.rawValue)] = value.index }

    /// The value of a field; nil when it is not there, or is none of the object's and so means nothing.
    @inline(__always)
    subscript(_ field: EventField) -> JSONValue? {
        let place = places[Int(field.rawValue)]
        return place == 0 ? nil : value.at(place)
    }

    /// The text of a field; empty when it is not there.
    @inline(__always)
    func bytes(of field: EventField) -> UnsafeRawBufferPointer {
        unsafe self[field]?.string ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
}
