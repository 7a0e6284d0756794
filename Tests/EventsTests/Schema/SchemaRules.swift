@testable import Events

/// What the fields of an object must be to each other, where a schema can say it.
///
/// Said once more than in the checks, which are code; the examples that are faulty hold both against each other.
enum SchemaRules {
    /// The rules of a section of the reference.
    static func of(_ section: String) -> [(String, SchemaNode)] {
        switch section {
        case "campaign.scheduled": campaign
        case "custom": [("propertyNames", ["not": ["enum": .list(Payload.reservedNames.map { .text("\($0)") })]])]
        case "alert":
            [
                ("anyOf", oneOf("title", "title-loc-key", "body", "loc-key")),
                arguments(of: ["title-loc-key", "subtitle-loc-key", "loc-key"]),
            ]
        case "notification":
            [("dependentRequired", ["titleLocArgs": ["titleLocKey"], "locArgs": ["locKey"]])]
        case "audience": [("anyOf", oneOf("devices", "subscribersOf", "tags", "near", "everyone"))]
        case "audience.tags": [("anyOf", oneOf("all", "any", "none"))]
        case "push": push
        default: []
        }
    }

    private static let campaign: [(String, SchemaNode)] = [
        ("if", ["required": ["alert"]]), ("then", ["properties": ["priority": ["enum": priorities]]]),
        (
            "else",
            [
                "properties": [
                    "priority": ["const": .value(5)], "sound": .value(false), "badge": .value(false),
                    "category": .value(false), "action": .value(false),
                ]
            ]
        ),
        (
            "allOf",
            [
                [
                    "if": ["required": ["action"]],
                    "then": ["properties": ["custom": ["properties": ["action": .value(false)]]]],
                ]
            ]
        ),
    ]

    private static let push: [(String, SchemaNode)] = [
        ("if", ["properties": ["pushType": ["const": "background"]]]),
        (
            "then",
            [
                "properties": [
                    "priority": ["const": .value(5)],
                    "body": [
                        "properties": [
                            "aps": [
                                "type": "object",
                                "properties": ["content-available": ["const": .value(1)]],
                                "required": ["content-available"],
                                "additionalProperties": .value(false),
                            ]
                        ],
                        "required": ["aps"],
                    ],
                ]
            ]
        ),
        ("else", ["properties": ["priority": ["enum": priorities]]]),
        (
            "allOf",
            [
                [
                    "properties": [
                        "topic": ["pattern": "^[!-~]+$"], "collapseId": ["pattern": "^[!-~]([ -~]*[!-~])?$"],
                        "apnsId": ["pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"],
                    ]
                ]
            ]
        ),
    ]

    private static let priorities: SchemaNode = [.value(1), .value(5), .value(10)]

    private static func oneOf(_ names: String...) -> SchemaNode {
        .list(names.map { ["required": [.text($0)]] })
    }

    private static func arguments(of keys: [String]) -> (String, SchemaNode) {
        ("dependentRequired", .members(keys.map { ($0.dropLast(3) + "args", [.text($0)]) }))
    }
}
