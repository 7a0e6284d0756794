import EndToEndSupport
import FoundationEssentials
import Glibc
import Testing

extension EndToEndBrokerTests {
    /// The commands of a first day with geopush.
    @Suite struct CommandTests {
        private struct Summary: Decodable {
            struct Outcome: Decodable {
                let status: String
                let count: Int
            }

            let total: Int
            let outcomes: [Outcome]
        }

        private struct Published: Decodable {
            let type: String
            let id: String
            let topic: String
            let partition: Int
            let offset: Int
        }

        @Test func `two workers give every device of an event and of a campaign its receipt`() async throws {
            let devices = 10_000
            let installation = try await Installation(partitions: 4)
            try await installation.startAPNs()
            let workers = try await installation.startWorkers(2)

            let example = Self.repository + "/Config/examples/location-sale.json"
            let line = try await installation.run(
                ["publish", "location", example] + installation.configuration,
                name: "publish-location"
            )
            let published = try JSONDecoder().decode(Published.self, from: Data(line.utf8))
            #expect(published.type == "location.updated" && published.id == "sale-42")
            #expect(published.topic == installation.prefix + "location-events")
            let campaign = EventJSON.campaign(
                "winter",
                devices: (1...devices).map { EventJSON.device(TestTokens.known($0), id: "phone-\($0)") }
            )
            try installation.folder.write(campaign, to: "campaign.json")
            try await installation.run(
                ["publish", "campaign", installation.folder.file("campaign.json")] + installation.configuration,
                name: "publish-campaign"
            )

            let receipts = try await Self.receipts(devices + 2, installation)
            #expect(receipts.total == devices + 2)
            #expect(receipts.outcomes.map(\.status) == ["accepted"])
            try await installation.waitUntilDone(group: "intake", topics: ["location-events", "campaign-events"])
            try await installation.waitUntilDone(group: "delivery", topics: ["pushes"])
            for worker in workers { worker.kill(SIGTERM) }
            for worker in workers { #expect(try await worker.wait() == 0) }
            let counts = try await installation.stopAPNs()
            #expect(counts.requests == devices + 2)
            #expect(counts.distinctApnsIds == devices + 2)
            // A member that has left on purpose must not have taken a commit with it.
            try await installation.waitUntilDone(group: "delivery", topics: ["pushes"], seconds: 5)
        }

        /// Reads the receipts until they are as many as expected, and then all there are.
        private static func receipts(_ count: Int, _ installation: Installation) async throws -> Summary {
            let read = ["receipts", "--summary", "--json"] + installation.configuration
            try await installation.run(
                read + ["--follow", "--from-beginning", "--stop-after", "\(count)"],
                name: "receipts-follow"
            )
            let output = try await installation.run(read, name: "receipts")
            return try JSONDecoder().decode(Summary.self, from: Data(output.utf8))
        }

        private static var repository: String {
            let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            return parts[..<(parts.lastIndex(of: "Tests") ?? parts.count)].joined(separator: "/")
        }
    }
}
