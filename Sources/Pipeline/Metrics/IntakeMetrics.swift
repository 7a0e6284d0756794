internal import Events
internal import Observability

/// What intake counts: what its committed transactions hold; written by its thread, read by any.
final class IntakeMetrics: Sendable {
    /// What became of an event.
    enum Outcome: Int, CaseIterable {
        /// It made pushes.
        case pushed
        /// It asked for no push.
        case silent
        /// It came after its time.
        case expired
        /// It has a fault.
        case deadLettered
        /// It was a null value.
        case tombstone

        /// The word in the label.
        var label: String {
            switch self {
            case .pushed: "pushed"
            case .silent: "silent"
            case .expired: "expired"
            case .deadLettered: "dead-lettered"
            case .tombstone: "tombstone"
            }
        }
    }

    static let types = EventType.allCases.count + 1

    /// By outcome, then by type; the last type is that of records whose type is not known.
    let events = CounterTable(size: IntakeMetrics.types * Outcome.allCases.count)
    let deadLetters = CounterTable(size: FaultCode.allCases.count)
    let pushesWritten = Counter()
    let receipts = PushOutcomes()
    let eventAge = Histogram()
    let transactionsCommitted = Counter()
    let transactionsAborted = Counter()

    /// Where an event is counted.
    static func place(_ type: EventType?, _ outcome: Outcome) -> Int {
        let column =
            switch type {
            case .locationUpdated: 0
            case .locationDeleted: 1
            case .campaignScheduled: 2
            case .campaignCancelled: 3
            case .deviceRegistered: 4
            case nil: 5
            }
        return outcome.rawValue * types + column
    }
}

extension IntakeMetrics {
    static let eventsRead = MetricDescription(
        "geopush_events_total",
        .counter,
        labels: ["type", "outcome"],
        "Events by their type and by what became of them; null values and dead letters have the type unknown."
    )
    static let deadLettersWritten = MetricDescription(
        "geopush_dead_letters_total",
        .counter,
        labels: ["code"],
        "Records written to dead-letters, by the code of their first fault."
    )
    static let eventAgeSeconds = MetricDescription(
        "geopush_event_age_seconds",
        .histogram,
        "How old events were, by their timestamp, when their pushes were committed."
    )
    static let pushesQueued = MetricDescription(
        "geopush_pushes_queued_total",
        .counter,
        "Pushes that intake has written and committed."
    )
    static let transactions = MetricDescription(
        "geopush_transactions_total",
        .counter,
        labels: ["result"],
        "Transactions of intake that were committed, and that were aborted and are written again."
    )

    /// All of them, in the order in which they are written.
    static let descriptions = [eventsRead, deadLettersWritten, eventAgeSeconds, pushesQueued, transactions]

    /// Writes what is counted; zeros where the stage does not run here.
    static func write(_ intake: IntakeMetrics?, to text: inout ExpositionText) {
        text.begin(eventsRead)
        for outcome in Outcome.allCases {
            for type in EventType.allCases.map(Optional.some) + [nil] where isPossible(type, outcome) {
                let count = intake?.events[place(type, outcome)] ?? 0
                text.sample(count, type?.rawValue ?? "unknown", outcome.label)
            }
        }
        text.begin(deadLettersWritten)
        for (place, code) in FaultCode.allCases.enumerated() {
            text.sample(intake?.deadLetters[place] ?? 0, code.rawValue)
        }
        var age = Histogram.Snapshot()
        if let intake { age.add(intake.eventAge) }
        text.begin(eventAgeSeconds)
        text.histogram(age)
        text.begin(pushesQueued)
        text.sample(intake?.pushesWritten.count ?? 0)
        text.begin(transactions)
        text.sample(intake?.transactionsCommitted.count ?? 0, "committed")
        text.sample(intake?.transactionsAborted.count ?? 0, "aborted")
    }

    /// A type is known of an event, and of nothing else; intake does not read the topic of devices.
    private static func isPossible(_ type: EventType?, _ outcome: Outcome) -> Bool {
        switch outcome {
        case .pushed, .silent, .expired: type != nil && type?.kind != .device
        case .deadLettered, .tombstone: type == nil
        }
    }
}
