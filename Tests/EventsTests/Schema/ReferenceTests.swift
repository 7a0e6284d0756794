import Testing

@testable import Events

/// Config/events.md says of every field what the checks do.
@Suite struct ReferenceTests {
    private let reference: Reference

    init() throws { reference = try Reference() }

    private func check(_ fields: [FieldDescription], _ section: String) {
        let rows = reference.sections[section] ?? []
        #expect(rows.map(\.name) == fields.map { "\($0.name)" }, "\(section)")
        for (row, field) in zip(rows, fields) {
            #expect(row.type == field.shape.typeText, "\(section), \(row.name)")
            #expect(row.isRequired == field.isRequired, "\(section), \(row.name)")
            #expect(row.meaning.hasSuffix("."), "\(section), \(row.name)")
            let inner = Reference.section(of: row.name, in: section, field.shape)
            switch field.shape {
            case .object(let object), .textOrObject(let object), .devices(let object): check(object.fields, inner)
            default: break
            }
        }
    }

    @Test(arguments: EventType.allCases)
    func `describes the data of each event`(type: EventType) {
        check(EventDescription.data(of: type).fields, type.rawValue)
    }

    @Test func `describes the envelope`() { check(Envelope.attributes.fields, "envelope") }

    @Test func `describes a push as publish takes it`() { check(PublishedPush.fields.fields, "push") }

    @Test func `describes receipts`() {
        check(ReceiptDescription.envelope, "receipt envelope")
        check(ReceiptDescription.data, "push.receipt")
    }

    @Test func `names every header of a push record`() {
        #expect(reference.sections["pushes"]?.map(\.name) == PushField.allCases.map { "\($0.name)" })
    }

    @Test func `names every code of a dead letter`() throws {
        let text = String(decoding: try repositoryFile("Config/events.md"), as: UTF8.self)
        for code in FaultCode.allCases { #expect(text.contains("\n| `\(code.rawValue)` | "), "\(code)") }
    }
}
