extension ConnectionPool {
    /// A connection is open.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - nowMillis: The monotonic clock.
    /// - Returns: False if it is not wanted any more and is to be closed.
    public mutating func connected(_ id: ConnectionID, nowMillis: Int64) -> Bool {
        guard isKnown(id, as: .connecting) else { return false }
        slots[id.slot].state = .ready
        slots[id.slot].connectedAtMillis = nowMillis
        isStarved = false
        return true
    }

    /// A connection could not be opened.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - nowMillis: The monotonic clock.
    public mutating func connectFailed(_ id: ConnectionID, nowMillis: Int64) {
        guard isKnown(id, as: .connecting) else { return }
        slots[id.slot].state = .free
        noteFailure(nowMillis: nowMillis)
    }

    /// The peer's MAX_CONCURRENT_STREAMS is another.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - limit: Its new value.
    public mutating func streamLimitChanged(_ id: ConnectionID, to limit: Int) {
        guard isKnown(id, as: .ready) else { return }
        slots[id.slot].streamLimit = Int32(clamping: limit)
    }

    /// A request was answered.
    ///
    /// - Parameters:
    ///   - id: Its connection.
    ///   - disposition: What the answer means.
    ///   - nowMillis: The monotonic clock.
    public mutating func answered(_ id: ConnectionID, _ disposition: Disposition, nowMillis: Int64) {
        guard isKnown(id, as: .ready) else { return }
        slots[id.slot].openStreams -= 1
        if disposition.provesToken {
            prove(id.slot)
        } else {
            refusedToServe(id, disposition, nowMillis: nowMillis)
        }
    }

    /// A request was refused before it was processed (REFUSED_STREAM).
    ///
    /// - Parameters:
    ///   - id: Its connection.
    ///   - nowMillis: The monotonic clock.
    public mutating func refused(_ id: ConnectionID, nowMillis: Int64) {
        guard isKnown(id, as: .ready) else { return }
        slots[id.slot].openStreams -= 1
        // The peer takes less than its limit says: one at a time, until it answers.
        slots[id.slot].isProven = false
        probeFailed(id, nowMillis: nowMillis)
        if slots[id.slot].openStreams == 0 { noteTrouble(id.slot, nowMillis: nowMillis) }
    }

    /// A request ended without an answer: its deadline passed, or its stream was reset.
    ///
    /// - Parameters:
    ///   - id: Its connection.
    ///   - nowMillis: The monotonic clock.
    public mutating func lost(_ id: ConnectionID, nowMillis: Int64) {
        guard isKnown(id, as: .ready) else { return }
        slots[id.slot].openStreams -= 1
        probeFailed(id, nowMillis: nowMillis)
        noteTrouble(id.slot, nowMillis: nowMillis)
    }

    /// A connection did not take the request that ``next(nowMillis:)`` had chosen it for.
    ///
    /// - Parameters:
    ///   - id: The connection, which is retired: its stream numbers are used up, or it is closing.
    ///   - nowMillis: The monotonic clock.
    public mutating func submissionFailed(_ id: ConnectionID, nowMillis: Int64) {
        guard isKnown(id, as: .ready) else { return }
        slots[id.slot].openStreams -= 1
        probeFailed(id, nowMillis: nowMillis)
        noteEnd(id.slot, nowMillis: nowMillis)
        retire(id.slot)
    }

    /// A connection got a GOAWAY.
    ///
    /// - Parameters:
    ///   - id: The connection, which is retired.
    ///   - disposition: What its reason means (``Disposition/of(goAway:)``).
    ///   - nowMillis: The monotonic clock.
    public mutating func goAway(_ id: ConnectionID, _ disposition: Disposition, nowMillis: Int64) {
        guard isKnown(id, as: .ready) else { return }
        probeFailed(id, nowMillis: nowMillis)
        if disposition == .reconnect {
            end(id.slot, jitterMillis: settings.goAwayJitterMillis, nowMillis: nowMillis)
        } else {
            refusedToServe(id, disposition, nowMillis: nowMillis)
        }
    }

    /// A connection is closed, and all its requests have had their events.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - nowMillis: The monotonic clock.
    public mutating func closed(_ id: ConnectionID, nowMillis: Int64) {
        guard isKnown(id, as: .ready) else { return }
        probeFailed(id, nowMillis: nowMillis)
        noteEnd(id.slot, nowMillis: nowMillis)
        slots[id.slot].state = .free
    }

    /// The provider token is another.
    ///
    /// A connection keeps its token for 20 minutes, or APNs refuses the next one; younger ones are replaced. A new
    /// key, and a token after one that had expired, go to new connections only.
    ///
    /// - Parameters:
    ///   - version: The version of the token that requests carry from now on.
    ///   - nowMillis: The monotonic clock.
    public mutating func tokenChanged(to version: TokenVersion, nowMillis: Int64) {
        guard version != self.version else { return }
        let isOtherKey = version.key != self.version.key
        let isRenewed = version.renewal != self.version.renewal
        self.version = version
        for index in 0..<settings.connectionsMax where slots[index].state == .ready {
            let age = nowMillis - slots[index].tokenSinceMillis
            if !slots[index].hasSent { continue }
            if isOtherKey || isRenewed || age < settings.tokenIntervalMillis {
                retire(index)
            } else {
                slots[index].tokenSinceMillis = nowMillis
            }
        }
        if isOtherKey {
            failures = 0
            suspects = 0
            connectAtMillis = nowMillis
        }
        if isOtherKey || hold?.cause == .expiredToken { hold = nil }
        if let probe = hold?.probe, !isKnown(probe, as: .ready) { hold?.probe = nil }
    }

    /// Gives up all connections, such as at the end of the lane.
    public mutating func retireAll() {
        isStarved = false
        for index in 0..<settings.connectionsMax {
            switch slots[index].state {
            case .ready: retire(index)
            case .connecting: slots[index].state = .free
            case .free, .retiring: break
            }
        }
    }
}
