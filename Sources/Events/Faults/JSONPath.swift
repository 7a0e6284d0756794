/// The way from the root of a document to the value that is looked at; text only when something is wrong there.
@safe
struct JSONPath {
    @safe
    private enum Step {
        case none
        case name(StaticString)
        case key(UnsafeRawBufferPointer)
        case index(Int)
    }

    private static let stepsMax = 8
    private var steps: InlineArray<8, Step> = InlineArray(repeating: Step.none)
    private var depth = 0

    /// Goes back to the root.
    mutating func removeAll() { depth = 0 }

    /// Goes down to a member that the description knows.
    @inline(__always)
    mutating func enter(_ name: StaticString) { push(.name(name)) }

    /// Goes down to a member with a name of the sender's.
    mutating func enter(key: UnsafeRawBufferPointer) { unsafe push(.key(key)) }

    /// Goes down to an element.
    @inline(__always)
    mutating func enter(index: Int) { push(.index(index)) }

    @inline(__always)
    private mutating func push(_ step: Step) {
        if depth < Self.stepsMax { steps[depth] = step }
        depth &+= 1
    }

    /// Goes to another element of the same array.
    @inline(__always)
    mutating func move(toIndex index: Int) {
        if depth > 0 && depth <= Self.stepsMax { steps[depth &- 1] = .index(index) }
    }

    /// Goes up again.
    @inline(__always)
    mutating func leave() { depth &-= 1 }

    /// The path as text: `$.data.audience.devices[3].token`.
    var text: String {
        var text = "$"
        for position in 0..<min(depth, Self.stepsMax) {
            switch steps[position] {
            case .none: break
            case .name(let name): text += ".\(name)"
            case .key(let bytes):
                let name = unsafe FoundText.quoted(bytes)
                let isPlain = !name.isEmpty && name.utf8.dropFirst().dropLast().allSatisfy(Self.isNameByte)
                text += isPlain && name.utf8.count > 2 ? "." + name.dropFirst().dropLast() : "[\(name)]"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
