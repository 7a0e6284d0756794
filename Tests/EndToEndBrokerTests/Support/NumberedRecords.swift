import EndToEndSupport
import Glibc
import Kafka

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
        guard let value = record.value else { return nil }
        let reading = Self.scan(value) { scan -> (Int, Bool, pid_t, Int, Int64)? in
            let isAccepted = scan.skip(past: #""data":{"status":"accepted""#)
            guard let number = scan.number(after: #""eventId":"n-"#),
                // The name of a worker without a lasting one is its host, its process and chance.
                let worker = scan.text(after: #""worker":""#).split(separator: "-").dropLast().last,
                let partition = scan.number(after: #""partition":"#),
                let offset = scan.number(after: #""offset":"#)
            else { return nil }
            return (number, isAccepted, pid_t(worker) ?? 0, partition, Int64(offset))
        }
        guard let reading else { return nil }
        (number, isAccepted, worker, partition, offset) = reading
    }

    private static func scan<Value>(_ bytes: UnsafeRawBufferPointer, _ body: (inout TextScan) -> Value) -> Value {
        TextScan.over(Array(bytes), body)
    }
}

/// A request of a numbered push, as the simulator has written it down.
struct NumberedRequest {
    let connection: Int
    let number: Int

    /// Reads the simulator's log.
    ///
    /// - Parameter log: One JSON object a line, each about a numbered push.
    /// - Returns: The requests in the order of their answers.
    static func read(_ log: [UInt8]) -> [NumberedRequest] {
        TextScan.over(log) { scan in
            var requests: [NumberedRequest] = []
            while let connection = scan.number(after: #""connection":"#),
                let number = scan.number(after: #"\"locationId\":\"n-"#)
            {
                requests.append(NumberedRequest(connection: connection, number: number))
            }
            return requests
        }
    }
}
