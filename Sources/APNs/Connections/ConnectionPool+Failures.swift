extension ConnectionPool {
    func isKnown(_ id: ConnectionID, as state: Slot.State) -> Bool {
        id.slot < settings.connectionsMax && slots[id.slot].serial == id.serial && slots[id.slot].state == state
    }

    /// APNs verified the token: the connection may carry all streams that its limit allows, and a hold ends.
    mutating func prove(_ index: Int) {
        slots[index].isProven = true
        slots[index].troubles = 0
        suspects = 0
        failures = 0
        hold = nil
    }

    /// An answer that is no answer to the push.
    mutating func refusedToServe(_ id: ConnectionID, _ disposition: Disposition, nowMillis: Int64) {
        guard hold == nil else {
            // Another connection for the next probe: some refusals bind the connection.
            probeFailed(id, nowMillis: nowMillis)
            retire(id.slot)
            return
        }
        switch disposition {
        case .retry: noteTrouble(id.slot, nowMillis: nowMillis)
        case .reconnect: end(id.slot, jitterMillis: settings.goAwayJitterMillis, nowMillis: nowMillis)
        case .haltKey: begin(.credential, nowMillis: nowMillis)
        case .refreshToken: begin(.expiredToken, nowMillis: nowMillis)
        case .restConnection:
            noteFailure(nowMillis: nowMillis)
            let isNew = !slots[id.slot].isProven
            retire(id.slot)
            // Not the connection is counted, but the address or the team.
            if isNew && !hasProven { begin(.tokenUpdates, nowMillis: nowMillis) }
        case .suspectKey:
            suspects += 1
            if suspects >= settings.suspectsMax { begin(.suspicion, nowMillis: nowMillis) }
        case .accepted, .rejected, .unregistered, .retryDevice, .holdApp: break
        }
    }

    private var hasProven: Bool {
        for index in 0..<settings.connectionsMax where slots[index].state == .ready && slots[index].isProven {
            return true
        }
        return false
    }

    /// Sends nothing but probes from now on, each on a connection that has carried nothing else.
    private mutating func begin(_ cause: HoldCause, nowMillis: Int64) {
        hold = Hold(cause: cause, probeAtMillis: nowMillis + probeDelay())
        suspects = 0
        for index in 0..<settings.connectionsMax where slots[index].state == .ready { retire(index) }
    }

    mutating func probeFailed(_ id: ConnectionID, nowMillis: Int64) {
        guard hold?.probe == id else { return }
        let delay = probeDelay()
        hold?.probe = nil
        hold?.probeAtMillis = nowMillis + delay
    }

    private mutating func probeDelay() -> Int64 {
        let spread = settings.probeIntervalMillis / 4
        return settings.probeIntervalMillis - spread / 2 + jitter(upTo: spread)
    }

    /// Counts what says that the host is not well, since the last good answer.
    mutating func noteTrouble(_ index: Int, nowMillis: Int64) {
        slots[index].troubles += 1
        guard slots[index].troubles >= settings.troublesMax else { return }
        noteFailure(nowMillis: nowMillis)
        retire(index)
    }

    /// The peer wants no more on this connection.
    mutating func end(_ index: Int, jitterMillis: Int64, nowMillis: Int64) {
        noteEnd(index, nowMillis: nowMillis)
        if failures == 0 {
            connectAtMillis = max(connectAtMillis, nowMillis + jitter(upTo: jitterMillis))
        }
        retire(index)
    }

    /// A connection that worked for a while may be replaced at once; else its end is a failure.
    mutating func noteEnd(_ index: Int, nowMillis: Int64) {
        let isStable =
            slots[index].isProven && nowMillis - slots[index].connectedAtMillis >= settings.stableMillis
        if !isStable { noteFailure(nowMillis: nowMillis) }
    }

    /// Waits 1 s, doubling to 60 s, half of it by chance: never at once, never in step.
    mutating func noteFailure(nowMillis: Int64) {
        failures += 1
        let doubled = settings.reconnectMillisMin << Int64(min(failures - 1, 20))
        let ceiling = min(settings.reconnectMillisMax, doubled)
        connectAtMillis = nowMillis + ceiling / 2 + jitter(upTo: ceiling - ceiling / 2)
    }

    mutating func retire(_ index: Int) {
        slots[index].state = .retiring
        hasRetiring = true
    }
}
