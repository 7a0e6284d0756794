internal import APNs
internal import EventLoop
internal import Events
internal import HTTP2
internal import Kafka
internal import Observability

/// The loop of a lane.
extension DeliveryLane {
    /// The longest wait of one turn, in milliseconds.
    private static let turnMillis: Int64 = 500
    /// How often what costs a look at everything is done, in milliseconds.
    private static let sweepMillis: Int64 = 250

    /// Runs a lane until it is asked to stop; the body of its thread.
    static func main(_ context: Context) {
        do {
            try DeliveryLane(context).run()
        } catch {
            context.fail(WorkerFailure(kind: .fatal, message: "a delivery lane cannot go on: \(error)"))
        }
        context.state.become(.stopped)
    }

    private func run() {
        refreshTokens()
        warmUp()
        while !isFinished {
            let count = poller.wait(timeoutMillis: waitMillis)
            nowMillis = Clock.monotonicMillis()
            wallMillis = Clock.wallMillis()
            context.state.turned(nowMillis: nowMillis)
            if suspension.turned(nowMillis: nowMillis), !partitions.isEmpty { proveMembership() }
            for index in 0..<count { readable(poller[index]) }
            serveConsumer()
            serveReports()
            serveConnects()
            if nowMillis >= sweepAtMillis { sweep() }
            resumePaused()
            take()
            dispatch()
            servePools()
            flushLinks()
            stopIfAsked()
            serveDrain()
            commitIfDue()
            if hasJoined && hasConnected { context.state.become(.running) }
        }
        leaveGroup()
    }

    /// The first connections open before there is a push: whether APNs can be reached is known at the start.
    private func warmUp() {
        sayStarting("not joined yet")
        // Asking for a place on a connection that is not there makes the pool want one.
        for pool in pools where !pool.isSandbox { _ = pool.machine.next(nowMillis: nowMillis) }
    }

    private func readable(_ ready: Poller.Ready) {
        guard ready.tag > 0 else {
            context.signal.lower()
            for partition in partitions { partition.mayHoldRecords = true }
            return
        }
        guard let link = links[Int(ready.tag) - 1] else { return }
        if ready.isReadable { link.connection.receive(nowMillis: nowMillis) }
        serve(link)
    }

    private func sweep() {
        sweepAtMillis = nowMillis + Self.sweepMillis
        refreshTokens()
        detachWaiting()
        keepConnected()
        reportHealth()
    }

    /// How long the next wait may last.
    private var waitMillis: Int {
        if isHungry { return 0 }
        var due = min(nowMillis + Self.turnMillis, connectionsDueMillis)
        if let retry = retries.nextDueMillis { due = min(due, retry) }
        if let commit = commits.dueMillis { due = min(due, commit) }
        if let again = receipts.retryAtMillis { due = min(due, again) }
        if let steps = drain?.steps { due = min(due, steps.nextMillis) }
        if let pending = assignment { due = min(due, pending.nextTryMillis) }
        return Int(max(due, nowMillis) - nowMillis)
    }

    // MARK: - Beginning and end

    /// The lane stood still for long: it sends nothing until a commit proves that the partitions are still its own.
    private func proveMembership() {
        log.warning(
            "the lane stood still and asks whether its partitions are still its own",
            ["lane": "\(context.index)"]
        )
        for partition in partitions { partition.watermark.commitFailed() }
        commits.failed(nowMillis: nowMillis - 1_000)
    }

    private func stopIfAsked() {
        guard let grace = context.stop.requestedGraceMillis, !isStopping else { return }
        isStopping = true
        log.info("draining", ["lane": "\(context.index)", "inFlight": "\(inFlight)"])
        let then = drain?.then ?? .end
        drain = LaneDrain(Drain(limits: .shutdown(graceMillis: grace), nowMillis: nowMillis), then: .end)
        // A rebalance under way ends with the same drain, since leaving the group gives everything back.
        if case .giveBack = then { assignment = nil }
    }

    private func leaveGroup() {
        dropPushes()
        for partition in partitions { partition.closeQueue() }
        partitions = []
        consumer.close(timeoutMillis: 2_000)
    }

    /// Says why the lane does not do its work yet.
    func sayStarting(_ reason: String) {
        if !(hasJoined && hasConnected) { context.state.become(.starting(reason)) }
    }

    /// Ends the worker: librdkafka cannot go on.
    func fatal(_ message: String) {
        isFinished = true
        context.fail(WorkerFailure(kind: .fatal, message: message))
    }
}
