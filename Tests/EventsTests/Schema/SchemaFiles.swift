@testable import Events

/// The files of Config/schemas.
struct SchemaFiles {
    /// The name of each file, and what it holds.
    let texts: [(name: String, text: String)]

    init(_ reference: Reference) {
        let generator = SchemaGenerator(reference: reference)
        let events = EventType.allCases.map { type in
            (
                "\(type.rawValue).json",
                Self.cloudEvent(
                    type.rawValue,
                    generator.object(Envelope.attributes.fields, "envelope"),
                    data: generator.object(EventDescription.data(of: type).fields, type.rawValue),
                    title: "\(type.rawValue), in CloudEvents' structured mode; #data is its data alone"
                )
            )
        }
        let receipt = Self.cloudEvent(
            "push.receipt",
            generator.object(ReceiptDescription.envelope, "receipt envelope"),
            data: generator.object(ReceiptDescription.data, "push.receipt"),
            title: "push.receipt, as it stands in the topic of receipts; #data is what `geopush receipts --json` prints"
        )
        let push = generator.object(PublishedPush.fields.fields, "push")
        let all = events + [("push.json", Self.root("a push, as `geopush publish push` takes it", push))]
        texts = (all + [("push.receipt.json", receipt)]).map { ($0.0, $0.1.json() + "\n") }
    }

    private static func cloudEvent(
        _ type: String,
        _ envelope: SchemaNode,
        data content: SchemaNode,
        title: String
    ) -> SchemaNode {
        let json: SchemaNode = ["pattern": "[/+][Jj][Ss][Oo][Nn] *(;|$)"]
        let data: SchemaNode = ["$ref": "#/$defs/data"]
        let special: [(String, SchemaNode)] = [
            ("allOf", [["properties": ["type": ["const": .text(type)], "datacontenttype": json, "data": data]]])
        ]
        var members: [(String, SchemaNode)] = []
        if case .members(let all) = envelope { members = all }
        return root(title, .members(members + special))
            .adding([("$defs", ["data": SchemaNode(dictionaryLiteral: ("$anchor", "data")).adding(content.members)])])
    }

    private static func root(_ title: String, _ schema: SchemaNode) -> SchemaNode {
        SchemaNode(
            dictionaryLiteral: ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", .text(title))
        ).adding(schema.members)
    }
}

extension SchemaNode {
    /// The members of an object.
    var members: [(String, SchemaNode)] {
        if case .members(let members) = self { members } else { [] }
    }
}

/// A receipt in the terms of the descriptions; what ``ReceiptWriter`` writes is held against it.
enum ReceiptDescription {
    static let envelope: [FieldDescription] = [
        .required("specversion", .choice(["1.0"])), .required("type", .text), .required("source", .text),
        .required("datacontenttype", .choice(["application/json"])),
        .required("dataschema", .choice(Words([ReceiptWriter.dataSchema]))), .required("id", .text),
        .required("subject", .text), .required("time", .time), .required("data", .anyObject),
    ]

    static let data: [FieldDescription] = [
        .required("status", .choice(Words(ReceiptStatus.allCases.map(\.text)))), .optional("reason", .text),
        .optional("httpStatus", .integer(100...599)), .optional("apnsId", .text),
        .required("attempts", .integer(0...Int64.max)), .optional("unregisteredAt", .time),
        .optional("eventId", .text), .optional("campaignId", .text), .optional("locationId", .text),
        .optional("deviceId", .text), .optional("token", .text), .optional("app", .text),
        .optional("environment", .text), .optional("queuedAt", .time), .optional("sentAt", .time),
        .optional("answeredAt", .time), .required("worker", .text), .required("source", .object(source)),
    ]

    static let source = ObjectDescription([
        .required("topic", .text), .required("partition", .integer(0...Int64(Int32.max))),
        .required("offset", .integer(0...Int64.max)),
    ])
}
