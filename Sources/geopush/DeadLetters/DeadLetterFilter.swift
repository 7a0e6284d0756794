internal import EventLoop
internal import FoundationEssentials
internal import Operations

/// Which dead letters are meant.
struct DeadLetterFilter {
    /// Those that are named one by one; empty for none.
    let places: Set<RecordPlace>
    private let code: String?
    private let topic: String?
    private let sinceMillis: Int64?
    private let topicPrefix: String

    /// Reads the arguments of the command.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - topicPrefix: What every topic's name begins with.
    ///   - nowMillis: Milliseconds since 1970.
    /// - Throws: A failure that says what is wrong with one.
    init(_ arguments: ParsedArguments, topicPrefix: String, nowMillis: Int64) throws(CommandFailure) {
        var places: Set<RecordPlace> = []
        for text in arguments.texts("place") {
            guard let place = RecordPlace(text) else {
                throw .usage("invalid place \"\(text)\": expected PARTITION:OFFSET, such as 0:12")
            }
            places.insert(place)
        }
        self.places = places
        code = arguments.text("code")
        topic = arguments.text("topic")
        self.topicPrefix = topicPrefix
        sinceMillis = try arguments.text("since").map { (text) throws(CommandFailure) in
            guard let millis = Self.millis(text, nowMillis: nowMillis) else {
                throw .usage(
                    "invalid --since \"\(text)\": expected a time such as 2026-12-01T09:30:00Z, or 90s, 15m, 2h, 7d"
                )
            }
            return millis
        }
    }

    /// Where reading has to begin.
    var start: RecordSource.Start {
        guard !places.isEmpty else { return .beginning }
        return .offsets(Dictionary(places.map { ($0.partition, $0.offset) }, uniquingKeysWith: min))
    }

    /// Whether a dead letter has all that is asked for.
    func matches(_ letter: DeadLetter) -> Bool {
        (places.isEmpty || places.contains(letter.place))
            && (code.map { [$0, "geopush:\($0)"].contains(letter.code) } ?? true)
            && (topic.map { [$0, topicPrefix + $0].contains(letter.topic) } ?? true)
            && (sinceMillis.map { letter.timeMillis >= $0 } ?? true)
    }

    /// A time, or so long ago.
    private static func millis(_ text: String, nowMillis: Int64) -> Int64? {
        let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count >= 0 {
            let (age, overflow) = count.multipliedReportingOverflow(by: unit)
            return overflow ? nil : nowMillis - age
        }
        let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
        return styles.lazy.compactMap { try? $0.parse(text) }.first.map { Int64($0.timeIntervalSince1970 * 1_000) }
    }
}
