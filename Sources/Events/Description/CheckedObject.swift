/// An object that was checked against its description: its members are found without looking at the others.
@safe
struct CheckedObject {
    /// The object.
    let value: JSONValue

    /// Not counted: descriptions are constants, and an event has several such objects.
    private unowned(unsafe) let description: ObjectDescription

    /// Where the value of each described field stands; 0 where it has none.
    private var places = InlineArray<16, UInt32>(repeating: 0)

    /// Makes an object of which no member has been found yet.
    init(_ value: JSONValue, _ description: ObjectDescription) {
        self.value = value
        unsafe self.description = description
    }

    /// Notes the value of a field.
    @inline(__always)
    mutating func found(_ index: Int, _ value: JSONValue) { places[index] = value.index }

    /// Finds a described member by its name.
    ///
    /// - Parameter name: The name.
    /// - Returns: Its value; nil when it is not there, or is not described and so means nothing.
    func member(_ name: StaticString) -> JSONValue? {
        guard let index = unsafe description.index(of: name.bytes), places[index] != 0 else { return nil }
        return value.at(places[index])
    }
}
