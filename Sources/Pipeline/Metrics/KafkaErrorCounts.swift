internal import Kafka
internal import Observability

/// How many errors of Kafka a thread has met, by their code.
///
/// librdkafka's codes are a closed set of small numbers, so that the series are bounded.
struct KafkaErrorCounts: ~Copyable, Sendable {
    private static let codes: ClosedRange<Int32> = -255...254

    private let table = CounterTable(size: 512)

    /// Counts an error.
    func count(_ code: Int32) {
        table.add(at: Self.codes.contains(code) ? Int(code - Self.codes.lowerBound) : table.size - 1)
    }

    /// All of them.
    var total: UInt64 { table.total }

    /// Adds what is counted to a sum over threads, by the code's name.
    func add(to sum: inout [String: UInt64]) {
        for index in 0..<table.size where table[index] > 0 {
            let name = index == table.size - 1 ? "other" : KafkaError(code: Int32(index) + Self.codes.lowerBound).name
            sum[name, default: 0] += table[index]
        }
    }
}
