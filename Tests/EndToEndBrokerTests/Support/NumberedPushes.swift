import EndToEndSupport
import Events
import Glibc
import Kafka

/// Pushes with numbers, several for each token with rising revisions, so that each request and each receipt tells which
/// one it is for.
struct NumberedPushes {
    /// How many there are.
    let count: Int
    /// How many each token gets.
    static let perToken = 5

    /// How far the numbers of a token's pushes are apart: how many tokens there are.
    var step: Int { (count + Self.perToken - 1) / Self.perToken }

    /// Which token a push is for; pushes of one token are published in the order of their numbers.
    func token(_ number: Int) -> Int { number % step }

    /// Publishes all.
    func publish(with publisher: Publisher, to topic: String) throws {
        let size = 5_000
        for start in stride(from: 0, to: count, by: size) {
            let messages = (start..<min(start + size, count)).map { number in
                Message(
                    key: TestTokens.known(token(number)),
                    value: #"{"aps":{"content-available":1},"locationId":"n-\#(number)"}"#,
                    headers: [
                        (
                            "push",
                            "apns-topic: com.example.shop\napp: shop\nevent-id: n-\(number)\n"
                                + "revision: \(number / step)\n"
                        )
                    ]
                )
            }
            try publisher.publish(messages, to: topic)
        }
    }
}

/// What the receipt of a numbered push says.
struct NumberedReceipt: Sendable {
    let number: Int
    let isAccepted: Bool
    /// The process that wrote it.
    let worker: pid_t
    let partition: Int
    let offset: Int64

    /// Reads a record of the topic of receipts; nil when it is not about a numbered push.
    init?(_ record: borrowing Record) {
        guard let read = ReadReceipt(record)?.receipt else { return nil }
        guard let number = read.eventID.flatMap({ Int($0.dropFirst(2)) }),
            // The name of a worker without a lasting one is its host, its process and chance.
            let worker = read.worker?.split(separator: "-").dropLast().last.flatMap({ pid_t($0) }),
            let source = read.dataJSON.split(separator: #""source":"#).last
        else { return nil }
        let numbers = source.split(whereSeparator: { $0 == ":" || $0 == "," || $0 == "}" }).compactMap { Int64($0) }
        guard numbers.count == 2 else { return nil }
        self.number = number
        self.worker = worker
        isAccepted = read.status == "accepted"
        partition = Int(numbers[0])
        offset = numbers[1]
    }
}

/// A request of a numbered push, as the simulator has written it down.
struct NumberedRequest {
    let connection: Int
    let number: Int

    /// Reads the simulator's log.
    ///
    /// Every line has the same form, and decoding half a million of them takes minutes in a debug build.
    ///
    /// - Parameter log: One JSON object a line, each about a numbered push.
    /// - Returns: The requests in the order of their answers.
    static func read(_ log: [UInt8]) -> [NumberedRequest] {
        (log + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                var requests: [NumberedRequest] = []
                var rest = text.baseAddress
                while let connection = number(after: #""connection":"#, in: &rest),
                    let number = number(after: #"\"locationId\":\"n-"#, in: &rest)
                {
                    requests.append(NumberedRequest(connection: connection, number: number))
                }
                return requests
            }
        }
    }

    private static func number(after mark: String, in rest: inout UnsafePointer<CChar>?) -> Int? {
        guard let start = rest, let found = strstr(start, mark) else { return nil }
        var end: UnsafeMutablePointer<CChar>?
        let value = strtol(found + mark.utf8.count, &end, 10)
        rest = end.map { UnsafePointer($0) }
        return value
    }
}
