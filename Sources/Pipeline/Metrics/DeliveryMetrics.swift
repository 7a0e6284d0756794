internal import APNs
internal import Observability

/// What one lane counts; written by its thread, read by any.
final class DeliveryMetrics: Sendable {
    /// What may happen to a connection to APNs.
    enum ConnectionEvent: Int, CaseIterable {
        /// It was opened.
        case opened
        /// It could not be opened.
        case failed
        /// APNs ends it, by a GOAWAY.
        case goaway
        /// APNs has not processed a push on it.
        case refused
        /// A push on it has got no answer.
        case lost
        /// It is gone.
        case closed
    }

    let pushes = PushOutcomes()
    let answers = CounterTable(size: Disposition.allCases.count)
    let queuedToAnswered = Histogram()
    let sentToAnswered = Histogram()
    let receiptToAcknowledged = Histogram()
    let connectionEvents = CounterTable(size: ConnectionEvent.allCases.count)
    let commitsAcknowledged = Counter()
    let commitsFailed = Counter()

    let inFlight = Gauge()
    let waitingForRetry = Gauge()
    let waitingForConnection = Gauge()
    let waitingForToken = Gauge()
    let connections = Gauge()
    let openStreams = Gauge()
    let commitWindow = Gauge()

    /// Counts an answer of APNs.
    @inline(__always)
    func answered(_ disposition: Disposition) {
        let place =
            switch disposition {
            case .accepted: 0
            case .rejected: 1
            case .unregistered: 2
            case .retry: 3
            case .retryDevice: 4
            case .reconnect: 5
            case .refreshToken: 6
            case .restConnection: 7
            case .suspectKey: 8
            case .haltKey: 9
            case .holdApp: 10
            }
        answers.add(at: place)
    }

    /// Counts what happened to a connection.
    func happened(_ event: ConnectionEvent) { connectionEvents.add(at: event.rawValue) }
}
