internal import APNs
internal import Observability

extension DeliveryMetrics {
    static let pushesEnded = MetricDescription(
        "geopush_pushes_total",
        .counter,
        labels: ["status", "reason"],
        "Pushes that ended, as their receipts say; reasons that are not known count as other."
    )
    static let answersOfAPNs = MetricDescription(
        "geopush_apns_answers_total",
        .counter,
        labels: ["disposition"],
        "Answers of APNs by what they mean, those included after which a push is sent again."
    )
    static let queuedToAnsweredSeconds = MetricDescription(
        "geopush_push_queued_to_answered_seconds",
        .histogram,
        "From when a push was queued to its final answer."
    )
    static let sentToAnsweredSeconds = MetricDescription(
        "geopush_push_sent_to_answered_seconds",
        .histogram,
        "From when a push was sent to each answer of APNs."
    )
    static let receiptSeconds = MetricDescription(
        "geopush_receipt_acknowledged_seconds",
        .histogram,
        "From a receipt to its acknowledgement by Kafka, of one receipt at a time in each lane."
    )
    static let pushesInFlight = MetricDescription(
        "geopush_pushes_in_flight",
        .gauge,
        "Pushes that were sent and wait for their answer."
    )
    static let pushesWaiting = MetricDescription(
        "geopush_pushes_waiting",
        .gauge,
        labels: ["for"],
        "Pushes held in memory that wait for a retry, for a connection or for an earlier push of their token."
    )
    static let openConnections = MetricDescription("geopush_connections", .gauge, "Open connections to APNs.")
    static let openStreamsOfAll = MetricDescription(
        "geopush_open_streams",
        .gauge,
        "Open HTTP/2 streams on all connections."
    )
    static let connectionEventsSeen = MetricDescription(
        "geopush_connection_events_total",
        .counter,
        labels: ["event"],
        "What happened to connections to APNs; refused and lost count pushes, which are sent again."
    )
    static let commits = MetricDescription(
        "geopush_commits_total",
        .counter,
        labels: ["result"],
        "Commits of delivery's positions that Kafka acknowledged, and that failed and are repeated."
    )
    static let commitWindowRecords = MetricDescription(
        "geopush_commit_window_records",
        .gauge,
        "Pushes of one partition that would come again after a kill, where they are most; 20,000 hold the partition."
    )

    /// All of them, in the order in which they are written.
    static let descriptions = [
        pushesEnded, answersOfAPNs, queuedToAnsweredSeconds, sentToAnsweredSeconds, receiptSeconds, pushesInFlight,
        pushesWaiting, openConnections, openStreamsOfAll, connectionEventsSeen, commits, commitWindowRecords,
    ]

    /// Writes the sums over all lanes, and the receipts that intake writes itself.
    static func write(_ lanes: [DeliveryMetrics], _ intake: IntakeMetrics?, to text: inout ExpositionText) {
        var pushes: [UInt64] = []
        for lane in lanes { lane.pushes.add(to: &pushes) }
        intake?.receipts.add(to: &pushes)
        text.begin(pushesEnded)
        PushOutcomes.write(pushes, to: &text)
        text.begin(answersOfAPNs)
        for (place, disposition) in Disposition.allCases.enumerated() {
            text.sample(lanes.reduce(0) { $0 + $1.answers[place] }, "\(disposition)")
        }
        writeHistograms(lanes, to: &text)
        writeGauges(lanes, to: &text)
        text.begin(connectionEventsSeen)
        for event in ConnectionEvent.allCases {
            text.sample(lanes.reduce(0) { $0 + $1.connectionEvents[event.rawValue] }, "\(event)")
        }
        text.begin(commits)
        text.sample(lanes.reduce(0) { $0 + $1.commitsAcknowledged.count }, "acknowledged")
        text.sample(lanes.reduce(0) { $0 + $1.commitsFailed.count }, "failed")
        text.begin(commitWindowRecords)
        text.sample(lanes.reduce(0) { max($0, $1.commitWindow.current) })
    }

    private static func writeHistograms(_ lanes: [DeliveryMetrics], to text: inout ExpositionText) {
        var queued = Histogram.Snapshot()
        var sent = Histogram.Snapshot()
        var receipt = Histogram.Snapshot()
        for lane in lanes {
            queued.add(lane.queuedToAnswered)
            sent.add(lane.sentToAnswered)
            receipt.add(lane.receiptToAcknowledged)
        }
        text.begin(queuedToAnsweredSeconds)
        text.histogram(queued)
        text.begin(sentToAnsweredSeconds)
        text.histogram(sent)
        text.begin(receiptSeconds)
        text.histogram(receipt)
    }

    private static func writeGauges(_ lanes: [DeliveryMetrics], to text: inout ExpositionText) {
        text.begin(pushesInFlight)
        text.sample(lanes.reduce(0) { $0 + $1.inFlight.current })
        text.begin(pushesWaiting)
        text.sample(lanes.reduce(0) { $0 + $1.waitingForRetry.current }, "retry")
        text.sample(lanes.reduce(0) { $0 + $1.waitingForConnection.current }, "connection")
        text.sample(lanes.reduce(0) { $0 + $1.waitingForToken.current }, "token")
        text.begin(openConnections)
        text.sample(lanes.reduce(0) { $0 + $1.connections.current })
        text.begin(openStreamsOfAll)
        text.sample(lanes.reduce(0) { $0 + $1.openStreams.current })
    }
}
