import EndToEndSupport
import FoundationEssentials
import Glibc
import Kafka

/// A push as Intake has written it.
struct PushEntry: Sendable {
    let id: Int
    let partition: Int
    let offset: Int64

    /// Reads a record of the topic of pushes.
    init?(_ record: borrowing Record) {
        guard let key = record.key, let value = record.value else { return nil }
        guard let token = Self.token(String(decoding: key, as: UTF8.self)) else { return nil }
        let revision = TextScan.over(Array(value)) { $0.number(after: #""revision":"#) }
        guard let revision else { return nil }
        id = PushID(token: token, revision: revision).number
        partition = Int(record.partition)
        offset = record.offset
    }

    /// The number of a token.
    static func token(_ text: String) -> Int? { Int(text.dropFirst(2), radix: 16) }
}

/// What a receipt says.
struct ReceiptEntry: Sendable {
    let id: Int
    let isAccepted: Bool
    let apnsID: String
    /// The process that wrote it.
    let worker: pid_t
    let partition: Int
    let offset: Int64

    /// Reads a record of the topic of receipts.
    init?(_ record: borrowing Record) {
        guard let value = record.value else { return nil }
        guard
            let envelope = try? JSONDecoder().decode(Envelope.self, from: Data(value)),
            let token = PushEntry.token(envelope.data.token),
            let revision = envelope.data.eventId.split(separator: "-").last.flatMap({ Int($0) }),
            let worker = envelope.data.worker.split(separator: "-").dropLast().last.flatMap({ pid_t($0) })
        else { return nil }
        id = PushID(token: token, revision: revision).number
        isAccepted = envelope.data.status == "accepted"
        apnsID = envelope.data.apnsId
        self.worker = worker
        partition = envelope.data.source.partition
        offset = envelope.data.source.offset
    }

    private struct Envelope: Decodable {
        struct Data: Decodable {
            struct Source: Decodable {
                let partition: Int
                let offset: Int64
            }

            let status: String
            let apnsId: String
            let eventId: String
            let token: String
            let worker: String
            let source: Source
        }

        let data: Data
    }
}

/// An answered request, as the simulator has written it down.
struct RequestEntry {
    let connection: Int
    let id: Int
    let status: Int
    let apnsID: String

    /// Reads the simulator's log.
    ///
    /// - Parameter log: One JSON object a line.
    /// - Returns: The requests in the order of their answers.
    static func read(_ log: [UInt8]) -> [RequestEntry] {
        TextScan.over(log) { scan in
            var requests: [RequestEntry] = []
            while let connection = scan.number(after: #""connection":"#) {
                let token = PushEntry.token(scan.text(after: #""token":""#)) ?? 0
                let status = scan.number(after: #""status":"#) ?? 0
                let apnsID = scan.text(after: #""apns-id":""#)
                let revision = scan.number(after: #"\"revision\":"#) ?? 0
                requests.append(
                    RequestEntry(
                        connection: connection,
                        id: PushID(token: token, revision: revision).number,
                        status: status,
                        apnsID: apnsID
                    )
                )
            }
            return requests
        }
    }
}

/// What a worker says of partitions that were taken from it and of requests that no answer came to.
struct WorkerSays {
    /// When partitions were taken from it without its consent, in milliseconds since 1970.
    private(set) var evictionsMillis: [Int64] = []
    /// How many requests were given up with their connections.
    private(set) var requestsGivenUp = 0

    /// Reads its log.
    init(_ log: String) {
        for line in log.split(separator: "\n") {
            guard let fields = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8)) else { continue }
            switch fields["msg"] {
            case "partitions revoked":
                if fields["lost"] == "true", let at = fields["ts"].flatMap(Self.millis) { evictionsMillis.append(at) }
            case "a connection to APNs is gone": requestsGivenUp += fields["requests"].flatMap { Int($0) } ?? 0
            case "streams reset to let partitions go": requestsGivenUp += fields["count"].flatMap { Int($0) } ?? 0
            default: break
            }
        }
    }

    private static func millis(_ text: String) -> Int64? {
        guard let date = try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)) else { return nil }
        return Int64(date.timeIntervalSince1970 * 1_000)
    }
}
