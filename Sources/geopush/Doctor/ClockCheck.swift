internal import EventLoop
internal import Kafka
internal import Operations

/// Compares this machine's clock with the newest records.
///
/// Kafka's answers hold no time, and a record of our own would be read by others. A record from the future says that
/// this clock is behind that of its writer, or of the broker where it stamps records itself; old records say nothing of
/// a clock that is ahead.
struct ClockCheck {
    private static let topics = ["location-events", "campaign-events", "pushes", "receipts"]
    /// The last offsets may be markers of transactions.
    private static let offsetsBack: Int64 = 10
    /// Provider tokens allow minutes, and clocks that are kept by NTP differ by less than a second.
    private static let toleranceMillis: Int64 = 30_000

    private let kafka: Configuration.Kafka
    private let topics: [String]

    init(_ kafka: Configuration.Kafka, _ cluster: ClusterMetadata) {
        self.kafka = kafka
        topics = Self.topics.filter { cluster.topics[kafka.topicPrefix + $0]?.hasLeaders == true }
    }

    /// What the newest record says.
    var finding: Finding {
        var newest: (millis: Int64, place: String)?
        for topic in topics {
            let source = RecordSource(kafka, topic: topic)
            do throws(CommandFailure) {
                try source.open(from: .last(Self.offsetsBack))
                try source.read { record in
                    if record.timestampMillis > newest?.millis ?? 0 {
                        newest = (record.timestampMillis, "\(record.topic)/\(record.partition)/\(record.offset)")
                    }
                    return true
                }
            } catch {
                return .wrong("clock", error.message)
            }
        }
        guard let newest else { return .right("clock", "no record to compare it with") }
        let aheadMillis = newest.millis - Clock.wallMillis()
        guard aheadMillis <= Self.toleranceMillis else {
            return .wrong(
                "clock",
                "\(newest.place) is from \(aheadMillis / 1_000) s in the future: have NTP set this clock, or its writer's"
            )
        }
        return .right(
            "clock",
            "not behind: the newest record, \(newest.place), is \(max(0, -aheadMillis) / 1_000) s old"
        )
    }
}
