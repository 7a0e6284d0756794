internal import APNs
internal import Events
internal import HTTP2
internal import Observability

/// From an answer of APNs to the end of a push, or to its next attempt.
extension DeliveryLane {
    /// How long the pushes of an app wait whose own topic APNs refuses, before one tries again, in milliseconds.
    private static let appHoldMillis: Int64 = 30_000

    /// Handles what happened on a connection.
    func serve(_ link: DeliveryLink) {
        let pool = pools[link.pool]
        while let event = link.connection.nextEvent() {
            switch event {
            case .response(let tag, let status, let retryAfterSeconds):
                answered(Int32(bitPattern: tag), link, pool, status: status, retryAfterSeconds: retryAfterSeconds)
            case .refused(let tag):
                metrics.happened(.refused)
                pool.machine.refused(link.id, nowMillis: nowMillis)
                refused(Int32(bitPattern: tag), pool)
            case .lost(let tag, let reason):
                metrics.happened(.lost)
                pool.machine.lost(link.id, nowMillis: nowMillis)
                link.lostRequests += 1
                lost(Int32(bitPattern: tag), reason)
            case .streamLimitChanged(let limit):
                pool.machine.streamLimitChanged(link.id, to: limit)
            case .goAway(_, let code):
                goneAway(link, pool, code)
            case .closed(let reason):
                closed(link, pool, reason)
            }
        }
    }

    private func answered(
        _ slot: Int32,
        _ link: DeliveryLink,
        _ pool: DeliveryPool,
        status: UInt16,
        retryAfterSeconds: Int32
    ) {
        guard pushes[slot].state == .inFlight else { return }
        pushes[slot].state = .ready
        inFlight -= 1
        metrics.sentToAnswered.observe(fromMillis: pushes[slot].sentAtMillis, toMillis: wallMillis)
        if status == 200 {
            metrics.answered(.accepted)
            pool.machine.answered(link.id, .accepted, nowMillis: nowMillis)
            heldUntilMillis[Int(pushes[slot].app)] = 0
            return end(slot, .accepted, httpStatus: 200)
        }
        let isAppTopic = isAppTopic(slot)
        let answer = unsafe Answer(status: status, body: link.connection.responseBody, isAppTopic: isAppTopic)
        metrics.answered(answer.disposition)
        pool.machine.answered(link.id, answer.disposition, nowMillis: nowMillis)
        pushes[slot].lastReason = answer.reason
        pushes[slot].lastStatus = status
        switch answer.disposition {
        case .accepted: end(slot, .accepted, httpStatus: Int(status))
        case .rejected: end(slot, .rejected, httpStatus: Int(status))
        case .unregistered: unregister(slot, answer)
        case .retry, .retryDevice, .reconnect, .suspectKey:
            pause(slot, millis: backoff(slot, retryAfterSeconds))
        case .restConnection:
            pool.tokens.updatesRefused(nowMillis: nowMillis)
            pause(slot, millis: backoff(slot, retryAfterSeconds))
        case .refreshToken:
            renewToken(pool, link)
            sendAgain(slot, pool)
        case .haltKey: sendAgain(slot, pool)
        case .holdApp:
            heldUntilMillis[Int(pushes[slot].app)] = nowMillis + Self.appHoldMillis
            log.error("APNs refuses the topic of an app: its pushes wait", ["app": appName(slot)])
            pause(slot, millis: Self.appHoldMillis)
        }
    }

    private func backoff(_ slot: Int32, _ retryAfterSeconds: Int32) -> Int64 {
        context.settings.delivery.retry.delayMillis(
            attempt: Int(pushes[slot].attempts),
            retryAfterSeconds: retryAfterSeconds,
            random: random.next()
        )
    }

    private func isAppTopic(_ slot: Int32) -> Bool {
        let topic = unsafe pushes[slot].fields[.apnsTopic]
        return unsafe topic.elementsEqual(apps[pushes[slot].app].topic)
    }

    private func appName(_ slot: Int32) -> String { String(decoding: apps[pushes[slot].app].id, as: UTF8.self) }

    /// APNs has not processed the push: sending it again costs nothing.
    private func refused(_ slot: Int32, _ pool: DeliveryPool) {
        if pushes[slot].state == .inFlight { pushes[slot].attempts -= 1 }
        sendAgain(slot, pool)
    }

    /// The push is not at fault: it keeps its turn.
    private func sendAgain(_ slot: Int32, _ pool: DeliveryPool) {
        if pushes[slot].state == .inFlight { inFlight -= 1 }
        guard pushes[slot].state != .free else { return }
        pushes[slot].state = .ready
        pool.ready.prepend(slot, in: &pushes)
    }

    /// Nobody knows what became of the push: it is sent again, with the same id.
    private func lost(_ slot: Int32, _ reason: LossReason) {
        guard pushes[slot].state == .inFlight else { return }
        inFlight -= 1
        pushes[slot].lastReason = nil
        pushes[slot].lastStatus = 0
        pause(slot, millis: reason == .closed ? 0 : backoff(slot, -1))
    }

    private func renewToken(_ pool: DeliveryPool, _ link: DeliveryLink) {
        switch pool.tokens.expired(generation: link.tokenGeneration, wallMillis: wallMillis, nowMillis: nowMillis) {
        case .renewed:
            log.warning("APNs says that the provider token has expired: renewed", ["key": "\(pool.tokens.identity)"])
        case .alreadyRenewed: break
        case .tooSoon:
            log.error(
                "APNs says that a young provider token has expired: is the clock of this machine right?",
                ["key": "\(pool.tokens.identity)"]
            )
        }
        refreshTokens()
    }

    private func goneAway(_ link: DeliveryLink, _ pool: DeliveryPool, _ code: UInt32) {
        let data = link.connection.goAwayData
        let reason = unsafe data.withUnsafeBytes { bytes in unsafe ErrorBody(bytes).reason(in: bytes) }
        pool.machine.goAway(link.id, Disposition.of(goAway: reason), nowMillis: nowMillis)
        link.isRetired = true
        metrics.happened(.goaway)
        log.notice(
            "APNs ends a connection",
            ["reason": reason.map { "\($0)" } ?? "none", "http2.code": "\(code)", "apns.host": "\(pool.endpoint)"]
        )
    }

    private func closed(_ link: DeliveryLink, _ pool: DeliveryPool, _ reason: CloseReason) {
        link.isClosed = true
        metrics.happened(.closed)
        if !link.isRetired { pool.machine.closed(link.id, nowMillis: nowMillis) }
        guard !link.isRetired || link.lostRequests > 0 else { return }
        log.notice(
            "a connection to APNs is gone",
            ["reason": "\(reason)", "apns.host": "\(pool.endpoint)", "requests": "\(link.lostRequests)"]
        )
    }
}
