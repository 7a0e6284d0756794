/// What a field of an event may hold.
enum ValueShape: Sendable {
    /// An id: 1-128 bytes without control characters.
    case id

    /// Any text.
    case text

    /// A text of at least one byte.
    case filledText

    /// A text of one line, up to a number of bytes.
    case line(bytesMax: Int)

    /// One of some words.
    case choice(Words)

    /// A time, RFC 3339.
    case time

    /// A URL with its scheme.
    case link

    /// A device token.
    case token

    /// A whole number.
    case integer(ClosedRange<Int64>)

    /// A number.
    case number(ClosedRange<Double>)

    /// A number above zero.
    case positive

    /// True or false.
    case flag

    /// True.
    case yes

    /// An array of some shape, with a least number of elements.
    case list(of: ElementShape, atLeast: Int)

    /// An object with described fields.
    case object(ObjectDescription)

    /// A text, or an object with described fields.
    case textOrObject(ObjectDescription)

    /// Any object.
    case anyObject

    /// Anything, and more than once; of several the first counts.
    case unchecked

    /// The devices of an audience, whose malformed tokens are no fault of the event.
    case devices(ObjectDescription)

    /// What the elements of a list may hold.
    enum ElementShape: Sendable {
        /// Ids.
        case id

        /// Texts.
        case text
    }
}

extension ValueShape {
    /// The shape in the words of a fault.
    var expected: String {
        switch self {
        case .id: "a text of 1 to 128 bytes without control characters"
        case .text: "a text"
        case .filledText: "a text that is not empty"
        case .line(let bytesMax): "a text of 1 to \(bytesMax) bytes without control characters"
        case .choice(let words): words.expected
        case .time: "a time such as \"2026-12-01T09:30:00Z\""
        case .link: "a URL with its scheme, of 1 to 512 bytes"
        case .token: "an even number of hexadecimal digits"
        case .integer(let range):
            range.upperBound == .max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .positive: "a number above 0"
        case .flag: "true or false"
        case .yes: "true"
        case .list(.id, let least): least > 0 ? "an array of one or more ids" : "an array of ids"
        case .list(.text, _): "an array of texts"
        case .object, .anyObject: "an object"
        case .textOrObject: "a text or an object"
        case .unchecked: "anything"
        case .devices: "an array of one or more devices"
        }
    }

    /// Whether more than one value of a field is no fault.
    var mayRepeat: Bool {
        if case .unchecked = self { true } else { false }
    }

    /// Whether a value of this kind is of the right type, whatever its range.
    func admits(_ kind: JSONKind) -> Bool {
        switch self {
        case .id, .text, .filledText, .line, .choice, .time, .link, .token: kind == .string
        case .integer, .number, .positive: kind == .integer || kind == .number
        case .flag, .yes: kind == .bool
        case .list, .devices: kind == .array
        case .object, .anyObject: kind == .object
        case .unchecked: true
        case .textOrObject: kind == .string || kind == .object
        }
    }
}
