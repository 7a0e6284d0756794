internal import Events
internal import Observability

/// What the open transaction holds, counted once it is committed: an aborted one is written again.
struct IntakeTally {
    private var events: [Int] = .init(repeating: 0, count: IntakeMetrics.types * IntakeMetrics.Outcome.allCases.count)
    private var deadLetters: [Int] = .init(repeating: 0, count: FaultCode.allCases.count)
    private var eventTimesMillis: [Int64] = []
    private var pushes = 0
    private var expiredReceipts = 0
    private var invalidTokens = 0
    private var isEmpty = true

    /// An event was written, with what follows from it.
    mutating func event(_ type: EventType?, _ outcome: IntakeMetrics.Outcome) {
        events[IntakeMetrics.place(type, outcome)] += 1
        isEmpty = false
    }

    /// An event made pushes, and receipts of devices with a malformed token.
    mutating func pushed(_ pushes: Int, invalidTokens: Int, timestampMillis: Int64) {
        self.pushes += pushes
        self.invalidTokens += invalidTokens
        if pushes > 0, timestampMillis > 0 { eventTimesMillis.append(timestampMillis) }
    }

    /// An event came after its time, which its one receipt says.
    mutating func expired() { expiredReceipts += 1 }

    /// A dead letter was written.
    mutating func deadLetter(_ code: FaultCode?) {
        guard let code, let place = FaultCode.allCases.firstIndex(of: code) else { return }
        deadLetters[place] += 1
    }

    /// The transaction is committed: counts what it holds.
    mutating func commit(to metrics: IntakeMetrics, wallMillis: Int64) {
        defer { removeAll() }
        metrics.transactionsCommitted.add()
        for (place, count) in events.enumerated() where count > 0 { metrics.events.add(UInt64(count), at: place) }
        for (place, count) in deadLetters.enumerated() where count > 0 {
            metrics.deadLetters.add(UInt64(count), at: place)
        }
        for time in eventTimesMillis { metrics.eventAge.observe(fromMillis: time, toMillis: wallMillis) }
        metrics.pushesWritten.add(UInt64(pushes))
        metrics.receipts.count(.expired, own: EventPushes.expired, times: expiredReceipts)
        metrics.receipts.count(.rejected, own: EventPushes.invalidToken, times: invalidTokens)
    }

    /// The transaction is aborted: forgets what it held.
    mutating func removeAll() {
        guard !isEmpty else { return }
        for place in events.indices { events[place] = 0 }
        for place in deadLetters.indices { deadLetters[place] = 0 }
        eventTimesMillis.removeAll(keepingCapacity: true)
        (pushes, expiredReceipts, invalidTokens, isEmpty) = (0, 0, 0, true)
    }
}
