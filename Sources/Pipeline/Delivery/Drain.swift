/// The order of steps by which a lane lets go of its partitions, each bounded in time.
///
/// Nothing new is taken; the open streams may finish, then are reset; the receipts of what finished are acknowledged;
/// what they allow is committed; then the partitions may go. Used at a rebalance and at the end of the process.
struct Drain {
    /// How long each step may take.
    struct Limits {
        var streamsMillis: Int64
        var receiptsMillis: Int64
        var commitMillis: Int64

        /// At a rebalance, while the rest of the group stands still.
        static let revocation = Limits(streamsMillis: 3_000, receiptsMillis: 3_000, commitMillis: 2_000)

        /// At the end of the process, in `graceMillis` in all.
        static func shutdown(graceMillis: Int64) -> Limits {
            let tail = min(4_000, graceMillis / 2)
            return Limits(streamsMillis: graceMillis - tail, receiptsMillis: tail / 2, commitMillis: tail / 2)
        }
    }

    /// What the lane still has under way.
    struct Work {
        var openStreams: Int
        var unacknowledgedReceipts: Int
        var isCommitInFlight: Bool
    }

    /// What the lane does next.
    enum Action: Equatable {
        /// Go on serving, and ask again.
        case wait
        /// Reset the streams that are still open; their pushes stay unfinished.
        case resetStreams
        /// Commit what is finished.
        case commit
        /// Let the partitions go; what is not committed will be sent again.
        case done
    }

    private enum Phase {
        case streams, receipts, commit, committing, finished
    }

    private var phase = Phase.streams
    private var deadlineMillis: Int64
    private let limits: Limits

    /// Starts to drain.
    init(limits: Limits, nowMillis: Int64) {
        self.limits = limits
        deadlineMillis = nowMillis + limits.streamsMillis
    }

    /// When ``next(_:nowMillis:)`` must be asked again at the latest.
    var nextMillis: Int64 { deadlineMillis }

    /// The next step.
    mutating func next(_ work: Work, nowMillis: Int64) -> Action {
        switch phase {
        case .streams:
            if work.openStreams > 0 && nowMillis < deadlineMillis { return .wait }
            enter(.receipts, limits.receiptsMillis, nowMillis)
            return work.openStreams > 0 ? .resetStreams : next(work, nowMillis: nowMillis)
        case .receipts:
            if work.unacknowledgedReceipts > 0 && nowMillis < deadlineMillis { return .wait }
            enter(.commit, limits.commitMillis, nowMillis)
            return next(work, nowMillis: nowMillis)
        case .commit:
            // The final commit follows the one in flight; both share one bound.
            if work.isCommitInFlight && nowMillis < deadlineMillis { return .wait }
            if work.isCommitInFlight {
                phase = .finished
                return .done
            }
            phase = .committing
            return .commit
        case .committing:
            if work.isCommitInFlight && nowMillis < deadlineMillis { return .wait }
            phase = .finished
            return .done
        case .finished:
            return .done
        }
    }

    private mutating func enter(_ phase: Phase, _ millis: Int64, _ nowMillis: Int64) {
        self.phase = phase
        deadlineMillis = nowMillis + millis
    }
}
