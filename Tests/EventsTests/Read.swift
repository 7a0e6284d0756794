@testable import Events

/// What a parser and an iterator made of one record, as plain values.
struct Read {
    var outcome = EventOutcome.tombstone
    var faults: [EventFault] = []
    var body = ""
    var collapseID = ""
    var event = ParsedEvent()
    var pushes: [Push] = []
    var receipts: [Receipt] = []
    var receiptKeys: [String] = []

    struct Push {
        let key: String
        let header: String
        let body: String

        func field(_ field: PushField) -> String {
            var push = PushRecord()
            let block = Text(header)
            push.decode(block.bytes)
            return string(push[field])
        }
    }

    static let now: Int64 = 1_796_117_400_000  // 2026-12-01T09:30:00Z
    static let settings = EventParserSettings(apps: [
        EventApp(id: "shop", topic: "com.example.shop"), EventApp(id: "demo", topic: "com.example.demo"),
    ])

    /// Reads a value.
    init(
        _ value: [UInt8]?,
        kind: TopicKind = .campaign,
        key: String? = nil,
        headers: [(String, String)] = [],
        settings: EventParserSettings = Read.settings,
        now: Int64 = Read.now,
        timestamp: Int64 = Read.now
    ) {
        var parser = EventParser(settings: settings)
        var fields = EventHeaders()
        for (name, value) in headers { fields.append(name: Text(name).bytes, value: Text(value).bytes) }
        let record = EventRecord(
            kind: kind,
            topic: Text("geopush.\(kind.rawValue)-events").bytes,
            partition: 2,
            offset: 17,
            timestampMillis: timestamp,
            key: key.map { Text($0).bytes },
            value: value.map { Text(bytes: $0).bytes }
        )
        outcome = parser.parse(record, headers: fields, nowMillis: now)
        faults = parser.faults
        guard outcome == .event else { return }
        event = parser.event
        body = string(parser.body)
        collapseID = string(parser.collapseID)
        let writer = ReceiptWriter(source: "/geopush/intake", worker: "test", disclosure: .plain)
        var made = EventPushes(receipts: writer)
        made.begin(parser, record: record, nowMillis: now)
        var reader = ReceiptReader()
        while true {
            switch made.next(parser) {
            case .push: pushes.append(Push(key: string(made.keyBytes), header: string(made.headerBytes), body: body))
            case .receipt:
                receiptKeys.append(string(made.receiptKeyBytes))
                if let receipt = reader.read(made.receiptValueBytes) { receipts.append(receipt) }
            case .finished: return
            }
        }
    }

    /// Reads a text.
    init(
        _ text: String,
        kind: TopicKind = .campaign,
        key: String? = nil,
        headers: [(String, String)] = [],
        settings: EventParserSettings = Read.settings,
        now: Int64 = Read.now,
        timestamp: Int64 = Read.now
    ) {
        self.init(
            Array(text.utf8),
            kind: kind,
            key: key,
            headers: headers,
            settings: settings,
            now: now,
            timestamp: timestamp
        )
    }

    /// The faults as `code path`.
    var codes: [String] { faults.map { "\($0.code.rawValue.dropFirst(8)) \($0.path)" } }
}

/// Bare `data` of a campaign, with some members replaced, added or (nil) left out.
func campaign(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
    object(
        [
            ("campaignId", #""summer""#), ("locationIds", #"["salePoint"]"#), ("app", #""shop""#),
            ("audience", #"{"devices":[{"token":"00ff"}]}"#),
        ],
        changes
    )
}

/// Bare `data` of a place, likewise.
func location(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
    object(
        [
            ("locationId", #""salePoint""#), ("revision", "7"), ("latitude", "35.6663268"),
            ("longitude", "139.731032"), ("radius", "100"), ("app", #""shop""#),
            ("audience", #"{"devices":[{"token":"00ff"}]}"#),
        ],
        changes
    )
}

/// A structured CloudEvent.
func structured(_ type: String, _ data: String, _ changes: KeyValuePairs<String, String?> = [:]) -> String {
    object(
        [
            ("specversion", #""1.0""#), ("type", "\"\(type)\""), ("source", #""/shop""#), ("id", #""e-1""#),
            ("data", data),
        ],
        changes
    )
}

func object(_ members: [(String, String)], _ changes: KeyValuePairs<String, String?>) -> String {
    var members = members
    for (name, value) in changes {
        members.removeAll { $0.0 == name }
        if let value { members.append((name, value)) }
    }
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
}
