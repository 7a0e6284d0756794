import FoundationEssentials
import Testing

@testable import Events

/// Config/schemas is made from what the checks read. `make schemas` writes it.
@Suite struct SchemaTests {
    private static let isWriting = ProcessInfo.processInfo.environment["GEOPUSH_WRITE_SCHEMAS"] != nil

    private func folder() -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        return root.joined(separator: "/") + "/Config/schemas"
    }

    @Test func `are what is made of the descriptions and the reference`() throws {
        let files = SchemaFiles(try Reference()).texts
        for file in files {
            let path = "\(folder())/\(file.name)"
            if Self.isWriting { try Data(file.text.utf8).write(to: URL(filePath: path)) }
            let found = String(decoding: (try? Data(contentsOf: URL(filePath: path))) ?? Data(), as: UTF8.self)
            #expect(found == file.text, "run make schemas: \(file.name) differs")
        }
        let found = try FileManager.default.contentsOfDirectory(atPath: folder())
        #expect(found.sorted() == files.map(\.name).sorted())
    }

    @Test func `a receipt has no field that its schema lacks`() throws {
        let push = ReceiptWriterTests.Push()
        var fields = push.fields()
        fields.unregisteredAtMillis = 0
        var writer = ReceiptWriter(source: "/geopush/delivery", worker: "w", disclosure: .plain)
        writer.write(fields, eventSource: push.topic.bytes)
        var document = JSONDocument()
        let root = try document.parse(writer.valueBytes)
        #expect(names(root) == ReceiptDescription.envelope.map { "\($0.name)" }.sorted())
        let data = try #require(root.member("data"))
        #expect(names(data) == ReceiptDescription.data.map { "\($0.name)" }.sorted())
        #expect(data.member("source").map(names) == ReceiptDescription.source.fields.map { "\($0.name)" }.sorted())
    }

    private func names(_ object: JSONValue) -> [String] {
        var names: [String] = []
        var members = object.members
        while let member = members.next() { names.append(string(member.name)) }
        return names.sorted()
    }
}
