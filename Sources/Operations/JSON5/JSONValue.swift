/// A JSON document as a tree.
public enum JSONValue: Equatable, Sendable {
    /// The value `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without a fraction that fits in 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])

    /// What it is, as a message says it: `a text`, `a list`.
    public var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The text of a single value, as a property file would hold it; nil for null, lists and objects.
    public var scalarText: String? {
        switch self {
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): value
        case .null, .array, .object: nil
        }
    }
}
