import APNs
import Cryptography
import EndToEndSupport
import EventLoop
import Events
import Foundation
import Kafka
import Observability
import Operations
import Pipeline
import Testing

/// What a server of others says of one request that it answered.
struct ServedRequest: Decodable {
    var id: String
    var token: String
    var body: String
    /// 0 where the server reset the stream.
    var status: Int
    var connection: Int
    /// The process that answered, where the server has several.
    var worker: Int?
}

/// A worker that sends what is in the topic of pushes, in librdkafka's mock cluster, to a server of others.
final class Sending: Sendable {
    static let topic = "com.example.shop"
    private static let partitions = 2

    private let cluster: MockCluster
    private let publisher: Publisher
    private let topics = TopicNames(prefix: "geopush.")
    let worker: RunningWorker
    let receipts: TopicLog<ReadReceipt>

    /// Starts the cluster and the worker.
    ///
    /// - Parameters:
    ///   - port: Where the server listens.
    ///   - folder: Holds the server's `ca.pem`; gets the provider key.
    init(to port: UInt16, _ folder: TemporaryFolder) throws {
        // Connections go away on purpose here.
        LogOutput.process.configure(level: .critical, format: .text)
        cluster = try MockCluster(brokers: 1)
        let table = TopicTable(prefix: "geopush.", apps: [], partitions: Self.partitions, replication: 1)
        for topic in table.specifications { try cluster.createTopic(topic.name, partitions: Self.partitions) }
        let settings = KafkaSettings(
            bootstrapServers: cluster.bootstrapServers,
            clientID: "test",
            properties: [("fetch.wait.max.ms", "10"), ("linger.ms", "1")]
        )
        publisher = try Publisher(settings)
        receipts = try TopicLog(topics.receipts, partitions: Self.partitions, settings) { ReadReceipt($0) }
        let text = """
            {
              kafka: {
                bootstrapServers: "\(cluster.bootstrapServers)",
                properties: { "fetch.wait.max.ms": "10", "session.timeout.ms": "6000" },
              },
              apns: {
                endpoints: { production: "localhost:\(port)", sandbox: "localhost:\(port)" },
                caFile: "\(folder.file("ca.pem"))",
              },
              apps: [
                { id: "shop", topic: "\(Self.topic)", teamId: "TEAMIDENT1", keyId: "KEYIDENT01",
                  keyFile: "\(try folder.writeProviderKey())" },
              ],
              delivery: { lanes: 1, retry: { baseSeconds: 0.2, maxSeconds: 1 } },
            }
            """
        let configuration = try ConfigurationReader(file: ("configuration", Array(text.utf8))).read().configuration
        worker = try RunningWorker(configuration.workerSettings(stages: [.delivery], tokens: ProviderTokens()))
    }

    /// A device token whose first two digits tell the server what to answer.
    static func token(_ kind: String, _ number: Int) -> String {
        let digits = String(number, radix: 16)
        return kind + String(repeating: "0", count: 62 - digits.count) + digits
    }

    /// The body of the push to a device token; their lengths differ much.
    static func body(_ token: String) -> String {
        let number = Int(token.suffix(8), radix: 16) ?? 0
        let filler = String(repeating: "駅", count: number % 10 == 0 ? 1_000 : number % 7)
        return #"{"aps":{"content-available":1},"locationId":"\#(token.suffix(8))","name":"\#(filler)"}"#
    }

    /// Publishes one push to each of the device tokens.
    func publish(_ tokens: [String]) throws {
        let messages = tokens.map { token in
            let headers = [("apns-topic", Self.topic), ("event-id", "event"), ("apns-collapse-id", "place")]
            return Message(key: token, value: Self.body(token), headers: headers)
        }
        try publisher.publish(messages, to: topics.pushes)
    }

    /// Ends the worker, so that the server sees the end of its connections.
    func stop() async { await worker.stop() }

    /// Holds receipts against what the server says: each push was answered for good once, and its receipt says so.
    ///
    /// - Parameters:
    ///   - tokens: All that was published.
    ///   - served: All that the server answered.
    ///   - expected: The status and reason of the receipt of a device token.
    ///   - retried: How often the server refused to answer for good before.
    func check(
        _ tokens: [String],
        served: [ServedRequest],
        expected: (String) -> (status: String, http: Int, reason: String?),
        retried: (String) -> Int = { _ in 0 }
    ) {
        let receipts = Dictionary(grouping: receipts.entries.map(\.receipt)) { $0.token ?? "" }
        let requests = Dictionary(grouping: served, by: \.token)
        #expect(receipts.count == tokens.count)
        #expect(requests.count == tokens.count)
        for token in tokens {
            let (want, mine, theirs) = (expected(token), receipts[token] ?? [], requests[token] ?? [])
            let isRight =
                mine.count == 1 && mine[0].status == want.status && mine[0].httpStatus == want.http
                && mine[0].reason == want.reason && theirs.count == 1 + retried(token)
                && theirs.allSatisfy { $0.id == mine[0].apnsID } && theirs.last?.status == want.http
                && theirs.allSatisfy { $0.status == 0 || $0.body == Self.body(token) }
            #expect(isRight, "\(token): \(want), receipts \(mine.map(\.dataJSON)), requests \(theirs)")
        }
    }
}

extension TemporaryFolder {
    /// Writes `ca.pem`, `server.pem` and `server.key`, for this machine.
    func writeServerCertificate() throws {
        let subject = ServerCertificate.Subject(names: ["localhost"], addresses: ["127.0.0.1"])
        let made = try ServerCertificate(subject: subject, nowSeconds: Clock.wallMillis() / 1_000)
        try write(made.authorityPEM, to: "ca.pem")
        try write(made.certificatePEM, to: "server.pem")
        try write(made.key.pem(), to: "server.key")
    }

    /// The JSON lines of a file that another process writes, without one that is not finished.
    func lines<Line: Decodable>(_ name: String, as line: Line.Type) throws -> [Line] {
        let whole = text(name).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try whole.map { try JSONDecoder().decode(line, from: Data($0.utf8)) }
    }
}
