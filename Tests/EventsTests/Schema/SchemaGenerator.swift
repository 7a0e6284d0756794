@testable import Events

/// Makes JSON Schemas of what is described for the checks, with the sentences of the reference.
struct SchemaGenerator {
    let reference: Reference

    private static let noControl: (String, SchemaNode) = (
        "not", ["pattern": .text(#"[\u0000-\u001f\u007f-\u009f]"#)]
    )
    private static let day = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    private static let hour = "([01][0-9]|2[0-3]):[0-5][0-9]"
    private static let time = "^\(day)[Tt]\(hour):([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]\(hour))$"

    /// An object of some fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - section: Its section in the reference.
    /// - Returns: The schema; other members are allowed, since they are ignored.
    func object(_ fields: [FieldDescription], _ section: String) -> SchemaNode {
        let properties = fields.map { field in
            let name = "\(field.name)"
            let inner = Reference.section(of: name, in: section, field.shape)
            return (name, described(shape(field.shape, inner), reference.meaning(of: name, in: section)))
        }
        let required = fields.filter(\.isRequired).map { SchemaNode.text("\($0.name)") }
        let members: [(String, SchemaNode)] = [("type", "object"), ("properties", .members(properties))]
        return .members(members + (required.isEmpty ? [] : [("required", .list(required))]))
            .adding(SchemaRules.of(section))
    }

    private func described(_ schema: SchemaNode, _ meaning: String) -> SchemaNode {
        guard case .members(let members) = schema else { return schema }
        return .members([("description", .text(meaning))] + members)
    }

    private func shape(_ shape: ValueShape, _ section: String) -> SchemaNode {
        switch shape {
        case .id: line(bytesMax: IDText.bytesMax)
        case .text: ["type": "string"]
        case .filledText: ["type": "string", "minLength": .value(1)]
        case .line(let bytesMax): line(bytesMax: bytesMax)
        case .choice(let words): ["enum": .list(words.texts.map(SchemaNode.text))]
        case .time:
            SchemaNode(dictionaryLiteral: ("type", "string"), ("format", "date-time"), ("pattern", .text(Self.time)))
                .adding([Self.noControl])
        case .link:
            SchemaNode(
                dictionaryLiteral: ("type", "string"),
                ("maxLength", .value(512)),
                ("pattern", "^[A-Za-z][A-Za-z0-9+.-]*:.")
            ).adding([Self.noControl])
        case .token:
            SchemaNode(
                dictionaryLiteral: ("type", "string"),
                ("maxLength", .value(TokenText.digitsMax)),
                ("pattern", "^([0-9A-Fa-f]{2})+$")
            ).adding([Self.noControl])
        case .integer(let range):
            ["type": "integer", "minimum": .value(range.lowerBound), "maximum": .value(range.upperBound)]
        case .number(let range):
            ["type": "number", "minimum": .value(Int(range.lowerBound)), "maximum": .value(Int(range.upperBound))]
        case .positive: ["type": "number", "exclusiveMinimum": .value(0)]
        case .flag: ["type": "boolean"]
        case .yes: ["const": .value(true)]
        case .list(let element, let least):
            .members(
                [("type", "array"), ("items", element == .id ? line(bytesMax: IDText.bytesMax) : ["type": "string"])]
                    + (least > 0 ? [("minItems", .value(least))] : [])
            )
        case .object(let description): object(description.fields, section)
        case .textOrObject(let description):
            ["anyOf": [["type": "string", "minLength": .value(1)], object(description.fields, section)]]
        case .anyObject: SchemaNode(dictionaryLiteral: ("type", "object")).adding(SchemaRules.of(section))
        case .unchecked: [:]
        case .devices(let description):
            ["type": "array", "items": object(description.fields, section), "minItems": .value(1)]
        }
    }

    /// Bytes cannot be counted in a schema; a text of so many bytes has no more characters.
    private func line(bytesMax: Int) -> SchemaNode {
        SchemaNode(dictionaryLiteral: ("type", "string"), ("minLength", .value(1)), ("maxLength", .value(bytesMax)))
            .adding([Self.noControl])
    }
}

extension ObjectDescription {
    /// Its fields in order.
    var fields: [FieldDescription] { indices.map { self[$0] } }
}
