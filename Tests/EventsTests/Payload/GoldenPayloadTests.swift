import Events
import FoundationEssentials
import Testing

/// A file of the repository.
func repositoryFile(_ path: String) throws -> [UInt8] {
    var root = #filePath.split(separator: "/")
    root.removeLast(4)
    return try Array(Data(contentsOf: URL(filePath: "/" + root.joined(separator: "/") + "/" + path)))
}

@Suite struct GoldenPayloadTests {
    @Test(arguments: [
        "location-sale", "location-roppongi", "location-site", "location-deleted", "campaign-silent",
        "campaign-visible",
    ])
    func `writes the payload of an example byte for byte`(name: String) throws {
        try check(name, event: "Config/examples/\(name).json")
    }

    @Test(arguments: ["place-reference", "place-notification", "campaign-reference", "campaign-alert", "campaign-text"])
    func `writes a golden payload byte for byte`(name: String) throws {
        try check(name, event: "Tests/EventsTests/Golden/\(name).event.json")
    }

    private func check(_ name: String, event path: String) throws {
        let kind: TopicKind = name.hasPrefix("campaign") ? .campaign : .location
        let read = Read(try repositoryFile(path), kind: kind)
        #expect(read.codes == [])
        let golden = try repositoryFile("Tests/EventsTests/Golden/\(name).payload.json")
        #expect(read.body == String(decoding: golden, as: UTF8.self))
        #expect(!read.pushes.isEmpty && read.receipts.isEmpty)
    }

    @Test func `reads a payload again as what the seeds' app looks for`() throws {
        struct UserInfo: Decodable {
            struct APS: Decodable {
                let contentAvailable: Int
                enum CodingKeys: String, CodingKey { case contentAvailable = "content-available" }
            }
            let aps: APS
            let locationId: String
        }
        let read = Read(try repositoryFile("Config/examples/location-sale.json"), kind: .location)
        let info = try JSONDecoder().decode(UserInfo.self, from: Data(read.body.utf8))
        #expect(info.locationId == "salePoint")
        #expect(info.aps.contentAvailable == 1)
    }

    @Test func `warns of nothing in the other examples`() throws {
        #expect(Read(try repositoryFile("Config/examples/campaign-cancelled.json")).outcome == .event)
        #expect(Read(try repositoryFile("Config/examples/device-registered.json"), kind: .device).outcome == .event)
    }
}
