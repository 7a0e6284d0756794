import EndToEndSupport
import Glibc
import Testing

extension EndToEndBrokerTests {
    /// Records that are larger than what follows from them may be.
    @Suite struct LargeRecordTests {
        @Test func `a malformed event with a key of twelve megabytes leaves a dead letter without it`() async throws {
            let installation = try await Installation(partitions: 1)
            try await installation.startAPNs()
            let name = installation.prefix + "dead-letters"
            let letters = try TopicLog(name, partitions: 1, installation.settings("test")) { ReadRecord($0) }
            // A topic measures what arrives, and that is compressed.
            let properties = [("message.max.bytes", "20000000"), ("compression.type", "gzip")]
            let publisher = try Publisher(installation.settings("publisher", properties))
            let key = String(repeating: "k", count: 12_000_000)
            try publisher.publish(
                [Message(key: key, value: "{", headers: [("trace", "large")])],
                to: installation.prefix + "location-events"
            )
            let worker = try await installation.startWorkers(1, "intake")[0]

            let letter = try await letters.wait(for: 1, "the dead letter", seconds: 60)[0]
            #expect(letter.key == nil && letter.value == "{")
            #expect(letter.headers["dlq.key.omitted"] == "true")
            #expect(letter.headers["dlq.headers.omitted"] == "true" && letter.headers["trace"] == nil)
            #expect(letter.headers["dlq.code"] == "geopush:malformed-json")
            worker.kill(SIGTERM)
            #expect(try await worker.wait() == 0)
        }
    }
}
