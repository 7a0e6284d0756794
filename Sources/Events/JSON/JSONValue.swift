/// What a JSON value is.
enum JSONKind: Sendable, Equatable {
    case object, array, string, integer, number, bool, null
}

/// One value of a parsed document: a place on simdjson's tape, valid as long as the document.
///
/// The tape's words hold a type in the upper byte and 56 bits below: for a string its offset in the string memory, for
/// an object or array the index after its end (lower 32 bits), for a number nothing, the next word being the number.
@safe
struct JSONValue {
    private let tape: UnsafePointer<UInt64>
    private let strings: UnsafeRawPointer

    /// Where it stands.
    let index: UInt32

    @inline(__always)
    init(tape: UnsafePointer<UInt64>, strings: UnsafeRawPointer, index: UInt32) {
        unsafe self.tape = tape
        unsafe self.strings = strings
        self.index = index
    }

    /// The value at another place of the same document.
    @inline(__always)
    func at(_ index: UInt32) -> JSONValue { unsafe JSONValue(tape: tape, strings: strings, index: index) }

    @inline(__always)
    private var word: UInt64 { unsafe tape[Int(index)] }

    /// The type's letter: `{ [ " l u d t f n`, or a closing bracket at an end.
    @inline(__always)
    var letter: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

    /// What it is.
    var kind: JSONKind {
        switch letter {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
        case UInt8(ascii: "d"): .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        default: .null
        }
    }

    /// The index of what follows it.
    @inline(__always)
    var next: UInt32 {
        switch letter {
        case UInt8(ascii: "{"), UInt8(ascii: "["): UInt32(truncatingIfNeeded: word)
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index &+ 2
        default: index &+ 1
        }
    }

    /// Its bytes; nil when it is no string.
    @inline(__always)
    var string: UnsafeRawBufferPointer? {
        letter == UInt8(ascii: "\"") ? unsafe text : nil
    }

    /// The bytes of what is known to be a string.
    @inline(__always)
    fileprivate var text: UnsafeRawBufferPointer {
        let start = unsafe strings + Int(truncatingIfNeeded: word & 0x00FF_FFFF_FFFF_FFFF)
        let length = unsafe start.loadUnaligned(as: UInt32.self)
        return unsafe UnsafeRawBufferPointer(start: start + 4, count: Int(length))
    }

    /// Its value; nil when it is no whole number of 64 bits.
    ///
    /// `7.0` is a whole number, as in JSON Schema.
    var integer: Int64? {
        switch letter {
        case UInt8(ascii: "l"): unsafe Int64(bitPattern: tape[Int(index) + 1])
        case UInt8(ascii: "d"): unsafe Int64(exactly: Double(bitPattern: tape[Int(index) + 1]))
        default: nil
        }
    }

    /// Its value; nil when it is no number.
    var number: Double? {
        switch letter {
        case UInt8(ascii: "l"): unsafe Double(Int64(bitPattern: tape[Int(index) + 1]))
        case UInt8(ascii: "u"): unsafe Double(tape[Int(index) + 1])
        case UInt8(ascii: "d"): unsafe Double(bitPattern: tape[Int(index) + 1])
        default: nil
        }
    }

    /// Its value; nil when it is neither true nor false.
    var bool: Bool? {
        switch letter {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// Its members in order; none when it is no object.
    @inline(__always)
    var members: JSONMembers {
        JSONMembers(parent: self, isContainer: letter == UInt8(ascii: "{"))
    }

    /// Its elements in order; none when it is no array.
    @inline(__always)
    var elements: JSONElements {
        JSONElements(parent: self, isContainer: letter == UInt8(ascii: "["))
    }

    /// Finds a member by its name; the first one of that name.
    ///
    /// - Parameter name: The name.
    /// - Returns: Its value; nil when there is none or this is no object.
    func member(_ name: StaticString) -> JSONValue? {
        let name = unsafe name.bytes
        var members = members
        while let member = members.next() {
            if unsafe member.name.equals(name) { return member.value }
        }
        return nil
    }

    /// Appends it as compact JSON: members in order, text unescaped where JSON allows.
    ///
    /// - Parameter buffer: Where to.
    func append(to buffer: inout ByteBuffer) {
        switch letter {
        case UInt8(ascii: "{"):
            buffer.append(UInt8(ascii: "{"))
            var members = members
            var isFirst = true
            while let member = members.next() {
                if !isFirst { buffer.append(UInt8(ascii: ",")) }
                isFirst = false
                unsafe buffer.append(jsonString: member.name)
                buffer.append(UInt8(ascii: ":"))
                member.value.append(to: &buffer)
            }
            buffer.append(UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            buffer.append(UInt8(ascii: "["))
            var elements = elements
            var isFirst = true
            while let element = elements.next() {
                if !isFirst { buffer.append(UInt8(ascii: ",")) }
                isFirst = false
                element.append(to: &buffer)
            }
            buffer.append(UInt8(ascii: "]"))
        default: appendScalar(to: &buffer)
        }
    }

    private func appendScalar(to buffer: inout ByteBuffer) {
        switch letter {
        case UInt8(ascii: "\""): if let text = unsafe string { unsafe buffer.append(jsonString: text) }
        case UInt8(ascii: "l"): buffer.append(decimal: integer ?? 0)
        case UInt8(ascii: "u"): unsafe buffer.append(text: String(tape[Int(index) + 1]))
        case UInt8(ascii: "d"): buffer.append(text: String(number ?? 0))
        case UInt8(ascii: "t"): buffer.append("true")
        case UInt8(ascii: "f"): buffer.append("false")
        default: buffer.append("null")
        }
    }
}

/// One member of an object.
@safe
struct JSONMember {
    /// The unescaped name.
    let name: UnsafeRawBufferPointer

    /// The value.
    let value: JSONValue
}

/// The members of an object, one after the other.
struct JSONMembers {
    private let parent: JSONValue
    private var index: UInt32
    private let end: UInt32

    @inline(__always)
    init(parent: JSONValue, isContainer: Bool) {
        self.parent = parent
        index = parent.index &+ 1
        end = isContainer ? parent.next &- 1 : index
    }

    /// The next member, nil after the last.
    @inline(__always)
    mutating func next() -> JSONMember? {
        guard index < end else { return nil }
        // In front of every value stands its name.
        let name = unsafe parent.at(index).text
        let value = parent.at(index &+ 1)
        index = value.next
        return unsafe JSONMember(name: name, value: value)
    }
}

/// The elements of an array, one after the other.
struct JSONElements {
    private let parent: JSONValue
    private var index: UInt32
    private let end: UInt32

    @inline(__always)
    init(parent: JSONValue, isContainer: Bool) {
        self.parent = parent
        index = parent.index &+ 1
        end = isContainer ? parent.next &- 1 : index
    }

    /// The next element, nil after the last.
    @inline(__always)
    mutating func next() -> JSONValue? {
        guard index < end else { return nil }
        let value = parent.at(index)
        index = value.next
        return value
    }
}
