internal import Events
internal import Kafka
internal import Observability

/// Partitions that the group has given to a lane, until their positions are known.
struct PendingAssignment {
    let partitions: [TopicPartition]
    var nextTryMillis: Int64
}

/// Partitions come and go: what the group says, and the first step of a push.
extension DeliveryLane {
    /// The most pushes of a partition that may come again after a kill.
    private static let spanMax = 20_000
    /// How long one question for committed positions may hold the loop, in milliseconds.
    private static let committedMillis = 1_000

    /// Answers what Kafka has to say.
    func serveConsumer() {
        while let event = consumer.pollEvent() {
            switch event {
            case .assigned(let partitions): assigned(partitions)
            case .revoked(let partitions, let isLost): revoked(partitions, isLost: isLost)
            case .committed(let answer): committed(answer)
            case .failed(let error): consumerFailed(error)
            }
        }
        if let pending = assignment, pending.nextTryMillis <= nowMillis { accept(pending) }
    }

    private func assigned(_ partitions: [TopicPartition]) {
        log.info("partitions assigned", ["count": "\(partitions.count)", "lane": "\(context.index)"])
        assignment = PendingAssignment(partitions: partitions, nextTryMillis: nowMillis)
    }

    /// Reads where the group stands and starts from there.
    ///
    /// A question that times out is asked again, never read as "nothing committed".
    private func accept(_ pending: PendingAssignment) {
        do {
            let committed =
                pending.partitions.isEmpty
                ? [] : try consumer.committed(pending.partitions, timeoutMillis: Self.committedMillis)
            let queues = try consumer.accept(committed.map { ($0.topicPartition, $0.start) })
            epoch &+= 1
            partitions = zip(committed, queues).enumerated().map { place, pair in
                DeliveryPartition(
                    id: pair.0.topicPartition,
                    place: UInt16(place),
                    epoch: epoch,
                    watermark: OffsetWatermark(
                        committed: pair.0.offset,
                        metadata: pair.0.metadata,
                        spanMax: Self.spanMax
                    ),
                    queue: pair.1
                )
            }
            assignment = nil
            commits.reset()
            suspension.proved()
            hasJoined = true
            unassignedSinceMillis = nil
        } catch {
            context.state.kafkaErrors.count(error.code)
            log.warning("committed positions cannot be read, asking again", ["kafka.error": "\(error)"])
            assignment?.nextTryMillis = nowMillis + 200
        }
    }

    private func revoked(_ revoked: [TopicPartition], isLost: Bool) {
        log.info("partitions revoked", ["count": "\(revoked.count)", "lost": "\(isLost)", "lane": "\(context.index)"])
        assignment = nil
        if isLost {
            // Others own the partitions already: a commit would be refused, and what is in flight may be sent twice.
            resetStreams()
            letGo()
        } else if drain == nil {
            drain = LaneDrain(Drain(limits: .revocation, nowMillis: nowMillis), then: .giveBack)
        } else {
            drain?.then = .giveBack
        }
    }

    /// Goes on with a drain under way.
    func serveDrain() {
        guard var current = drain else { return }
        let work = Drain.Work(
            openStreams: inFlight,
            unacknowledgedReceipts: receipts.unacknowledged,
            isCommitInFlight: commits.isInFlight
        )
        let action = current.steps.next(work, nowMillis: nowMillis)
        drain = current
        switch action {
        case .wait: return
        case .resetStreams:
            log.notice("streams reset to let partitions go", ["count": "\(inFlight)", "lane": "\(context.index)"])
            resetStreams()
        case .commit: commitNow()
        case .done:
            drain = nil
            switch current.then {
            case .giveBack:
                letGo()
                // A rebalance that met the end of the process: there is nothing left to wait for.
                isFinished = isFinished || isStopping
            case .end: isFinished = true
            }
        }
    }

    /// Forgets the partitions and all of their pushes, and tells the group.
    private func letGo() {
        unassignedSinceMillis = nowMillis
        dropPushes()
        for partition in partitions { partition.closeQueue() }
        partitions = []
        commits.reset()
        suspension.proved()
        do {
            try consumer.acceptRevocation()
        } catch {
            fatal("the partitions could not be given back: \(error)")
        }
    }

    /// Takes new records while there is room for them.
    func take() {
        guard drain == nil, !suspension.isActive, !partitions.isEmpty else { return }
        var room = takeRoom
        for step in 0..<partitions.count {
            guard room > 0 else { break }
            let partition = partitions[(firstPartition + step) % partitions.count]
            guard partition.mayHoldRecords, isOpen(partition), let queue = partition.queue else { continue }
            let wanted = min(room, Self.batchMax, shareOfPartition - partition.watermark.unfinished)
            let count = queue.take(into: &batch, max: wanted)
            partition.mayHoldRecords = count == wanted
            while let record = batch.next() { received(record, from: partition) }
            room = takeRoom
        }
        firstPartition = (firstPartition + 1) % partitions.count
    }

    /// How many pushes of one partition may be under way: what waits in one must not take the room of the others.
    private var shareOfPartition: Int { pushes.capacity / max(1, partitions.count) }

    /// How many records may be taken now.
    private var takeRoom: Int {
        var waiting = inFlight
        for pool in pools where !pool.isHalted { waiting += pool.ready.count }
        return min(
            context.settings.delivery.inFlight - waiting,
            pushes.freeCount,
            Self.unacknowledgedMax - receipts.unacknowledged
        )
    }

    /// More could be taken at once.
    var isHungry: Bool {
        guard drain == nil, !suspension.isActive, takeRoom > 0 else { return false }
        for partition in partitions where partition.mayHoldRecords && hasRoom(partition) { return true }
        return false
    }

    private func hasRoom(_ partition: DeliveryPartition) -> Bool {
        partition.isOpen && partition.watermark.unfinished < shareOfPartition
    }

    private func isOpen(_ partition: DeliveryPartition) -> Bool {
        guard hasRoom(partition) else {
            if partition.stop == nil && !partition.isSaidFull {
                partition.isSaidFull = true
                log.warning(
                    "partition held: too many of its pushes wait",
                    ["kafka.topic": partition.id.topic, "kafka.partition": "\(partition.id.partition)"]
                )
            }
            return false
        }
        partition.isSaidFull = false
        return true
    }

    private func received(_ record: consuming Record, from partition: DeliveryPartition) {
        switch record.kind {
        case .data: admit(record, from: partition)
        case .endOfPartition:
            partition.watermark.reachedEnd(at: record.offset)
            commits.advanced(by: 0)
        case .failed(let code):
            context.state.kafkaErrors.count(code)
            log.warning(
                "a record could not be read",
                ["kafka.topic": partition.id.topic, "kafka.partition": "\(partition.id.partition)", "code": "\(code)"]
            )
        }
    }

    private func consumerFailed(_ error: KafkaError) {
        context.state.kafkaErrors.count(error.code)
        if error.isFatal { return fatal("the consumer is lost: \(error)") }
        log.warning("Kafka", ["kafka.error": error.name, "kafka.message": error.message])
    }
}

/// A drain of the lane, and what follows it.
struct LaneDrain {
    enum Then {
        case giveBack, end
    }

    var steps: Drain
    var then: Then

    init(_ steps: Drain, then: Then) {
        self.steps = steps
        self.then = then
    }
}
