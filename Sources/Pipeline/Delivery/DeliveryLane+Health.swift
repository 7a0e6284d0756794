internal import APNs
internal import EventLoop
internal import HTTP2
internal import Kafka
internal import Observability

/// What a lane says of itself, a few times a second and never for one push.
extension DeliveryLane {
    /// A pool that has lost APNs goes on asking for a connection, also when no push waits for one.
    ///
    /// Whether APNs is there again would not be known otherwise before the next push.
    func keepConnected() {
        guard drain == nil, !isStopping else { return }
        for pool in pools {
            switch pool.machine.status {
            // Without a connection there is no place to be reserved: asking only makes the pool want one.
            case .unreachable: _ = pool.machine.next(nowMillis: nowMillis)
            case .idle where !pool.isSandbox: _ = pool.machine.next(nowMillis: nowMillis)
            case .idle, .connecting, .ready, .held: break
            }
        }
    }

    /// Says how the lane stands.
    func reportHealth() {
        reportPushes()
        reportConnections()
        reportPartitions()
        context.state.report(problems)
    }

    private func reportPushes() {
        var waiting = 0
        for pool in pools { waiting += pool.ready.count }
        metrics.inFlight.set(Int64(inFlight))
        metrics.waitingForRetry.set(Int64(retries.count))
        metrics.waitingForConnection.set(Int64(waiting))
        metrics.waitingForToken.set(Int64(max(0, pushes.count - inFlight - retries.count - waiting)))
    }

    private func reportConnections() {
        var connections: Int64 = 0
        var streams: Int64 = 0
        for case let link? in links {
            connections += 1
            streams += Int64(link.connection.openStreams)
        }
        metrics.connections.set(connections)
        metrics.openStreams.set(streams)
    }

    private func reportPartitions() {
        var window = 0
        var lag: Int64 = 0
        for partition in partitions {
            window = max(window, partition.watermark.span)
            guard let known = consumer.lastKnownRange(of: partition.id) else { continue }
            // Where nothing is committed and nothing was taken, all records are still to come.
            lag += max(0, known.high - (partition.watermark.committable ?? known.low))
        }
        metrics.commitWindow.set(Int64(window))
        context.state.partitions.set(Int64(partitions.count))
        context.state.lagRecords.set(lag)
    }

    private var problems: [ReadinessReason] {
        var problems: [ReadinessReason] = []
        func add(_ code: ReadinessReason.Code, _ detail: String) {
            let problem = ReadinessReason(code, stage: context.state.name, detail: detail)
            // The pools of both environments may say the same of their key.
            if !problems.contains(problem) { problems.append(problem) }
        }
        for pool in pools {
            switch pool.machine.status {
            case .unreachable: add(.apnsUnreachable, "\(pool.endpoint)")
            case .held(let cause): add(.keyHalted, "\(pool.tokens.identity): \(cause)")
            case .idle, .connecting, .ready: break
            }
        }
        for (index, until) in heldUntilMillis.enumerated() where until > nowMillis {
            add(.appHeld, String(decoding: apps[Int32(index)].id, as: UTF8.self))
        }
        if suspension.isActive { add(.suspended, "") }
        if let since = unassignedSinceMillis, nowMillis - since >= ReadinessReason.unassignedMillisMax {
            add(.notAssigned, "for \((nowMillis - since) / 1_000) s")
        }
        return problems
    }
}
