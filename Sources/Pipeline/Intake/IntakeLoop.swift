internal import EventLoop
internal import Events
internal import Kafka
internal import Observability

/// The intake stage of a replica: one thread that turns events into pushes, exactly once.
///
/// It reads a batch of events, and writes all that follows from them and the batch's end into one transaction of Kafka.
/// Two producers take turns: a producer's next transaction has to wait until the markers of its last are written, and
/// the other's has not. A transaction that is aborted takes the position back to where the last committed one ended.
final class IntakeLoop {
    /// What the loop is made from; everything else it makes itself, on its own thread.
    struct Context: Sendable {
        let settings: WorkerSettings
        let signal: EventSignal
        let state: StageState
        let metrics: IntakeMetrics
        let stop: StopRequest
        let fail: @Sendable (WorkerFailure) -> Void
    }

    /// The most events in one transaction: of 500 events with one device each a transaction's own cost is half.
    private static let batchMax = 2_000
    /// A transaction takes no further event once its events hold so many bytes.
    private static let batchBytesMax = 4 << 20
    /// How long a turn waits for events, in milliseconds.
    private static let idleMillis = 500
    /// How long a failure is waited after, in milliseconds.
    private static let failureMillis = 250
    /// How long one call to the transaction coordinator may take, in milliseconds.
    private static let callMillis = 5_000
    /// How long one question for committed positions may take, in milliseconds.
    private static let committedMillis = 1_000
    /// How often the stage says how it stands, in milliseconds.
    private static let reportMillis: Int64 = 250

    private let context: Context
    private let log = Logger(label: "geopush.intake")
    private let consumer: Consumer
    private var writers: [IntakeWriter] = []
    private var turn = 0
    private var queue: SharedQueue?
    private var batch = RecordBatch(capacity: IntakeLoop.batchMax)
    private var positions: IntakePositions
    private var isTransactionOpen = false
    /// The bytes of the events in the open transaction.
    private var transactionBytes = 0
    private var isCommitInFlight = false
    /// Partitions that the group has given, until their positions are known.
    private var assignment: [TopicPartition]?
    /// Since when there is no assignment after one that was taken away.
    private var unassignedSinceMillis: Int64?
    private var reportAtMillis: Int64 = 0
    /// Each by itself, since what a list holds is counted when it is taken out.
    private let locations: IntakeInput
    private let campaigns: IntakeInput
    /// Never raised: what a wait ends by is its time.
    private let pause: EventSignal

    /// Runs the stage until it is asked to stop; the body of its thread.
    static func main(_ context: Context) {
        do {
            try IntakeLoop(context).run()
        } catch {
            context.fail(WorkerFailure(kind: .fatal, message: "intake cannot go on: \(error)"))
        }
        context.state.become(.stopped)
    }

    private init(_ context: Context) throws {
        self.context = context
        pause = try EventSignal()
        let topics = context.settings.topics
        locations = IntakeInput(topic: topics.locationEvents, kind: .location)
        campaigns = IntakeInput(topic: topics.campaignEvents, kind: .campaign)
        positions = IntakePositions(topics: [locations.topic, campaigns.topic])
        let kafka = context.settings.kafka
        consumer = try Consumer(
            Self.consumerSettings(kafka),
            group: kafka.groupPrefix + "intake",
            signal: context.signal
        )
    }

    /// All partitions share one queue, so that bounds hold for all of them together.
    private static func consumerSettings(_ kafka: KafkaConnection) -> KafkaSettings {
        var settings = kafka.consumerSettings(
            clientID: "geopush-intake-\(kafka.instance)",
            member: "0-intake-\(kafka.instance)"
        )
        // Where so many wait, librdkafka looks only once a second whether there is room again, so that the default
        // bounds intake to as many events a second. What bounds its memory is queued.max.messages.kbytes.
        if settings["queued.min.messages"] == nil { settings.set("queued.min.messages", "100000") }
        return settings
    }

    private var isStopping: Bool { context.stop.requestedGraceMillis != nil }

    private func run() throws(KafkaError) {
        for suffix in ["a", "b"] {
            guard let writer = makeWriter(suffix) else { return }
            writers.append(writer)
        }
        try consumer.subscribe([locations.topic, campaigns.topic])
        while !isStopping {
            context.signal.lower()
            reportHealth()
            try serveEvents()
            if try takeAndWrite() == 0 {
                commitEnds()
                if assignment == nil { _ = context.signal.wait(timeoutMillis: Self.idleMillis) }
            }
        }
        consumer.close(timeoutMillis: Int(context.stop.requestedGraceMillis ?? 0))
    }

    // MARK: - Partitions

    private func serveEvents() throws(KafkaError) {
        while let event = consumer.pollEvent() {
            switch event {
            case .assigned(let partitions):
                log.info("partitions assigned", ["count": "\(partitions.count)"])
                assignment = partitions
            case .revoked:
                // No transaction is open between two turns, so there is nothing to finish first.
                assignment = nil
                queue = nil
                positions.removeAll()
                unassignedSinceMillis = Clock.monotonicMillis()
                context.state.partitions.set(0)
                try consumer.acceptRevocation()
            case .committed(let answer):
                isCommitInFlight = false
                positions.committedEnds(answer.acknowledged)
                if let error = answer.error {
                    context.state.kafkaErrors.count(error.code)
                    log.info("the end of a partition was not committed", ["kafka.error": error.name])
                }
            case .failed(let error):
                context.state.kafkaErrors.count(error.code)
                if error.isFatal { throw error }
                log.warning("Kafka", ["kafka.error": error.name, "kafka.message": error.message])
            }
        }
        if let partitions = assignment { try accept(partitions) }
    }

    /// Reads where the group stands, and starts from there.
    ///
    /// A question without an answer is asked again in the next turn. librdkafka would ask once: of a coordinator that has
    /// just moved it takes an error, and then never reads the partitions.
    private func accept(_ partitions: [TopicPartition]) throws(KafkaError) {
        let committed: [OffsetCommit]
        do {
            committed = try consumer.committed(partitions, timeoutMillis: Self.committedMillis)
        } catch {
            context.state.kafkaErrors.count(error.code)
            // As it is for some seconds where a transaction was left open.
            log.info("committed positions cannot be read, asking again", ["kafka.error": "\(error)"])
            _ = pause.wait(timeoutMillis: Self.failureMillis)
            return
        }
        queue = try consumer.acceptShared(committed.map { ($0.topicPartition, $0.start) })
        assignment = nil
        positions.removeAll()
        unassignedSinceMillis = nil
        context.state.partitions.set(Int64(partitions.count))
        context.state.become(.running)
    }

    /// Commits the ends of partitions in which all is done: transaction markers would leave a lag of 1 for ever.
    private func commitEnds() {
        let ends = positions.uncommittedEnds
        guard !isCommitInFlight, !ends.isEmpty else { return }
        do {
            try consumer.commit(ends)
            isCommitInFlight = true
        } catch {
            log.info("the end of a partition was not committed", ["kafka.error": error.name])
        }
    }

    /// Says how the stage stands, a few times a second.
    private func reportHealth() {
        let nowMillis = Clock.monotonicMillis()
        context.state.turned(nowMillis: nowMillis)
        guard nowMillis >= reportAtMillis else { return }
        reportAtMillis = nowMillis + Self.reportMillis
        context.state.lagRecords.set(positions.lag { self.consumer.lastKnownRange(of: $0)?.high })
        var problems: [ReadinessReason] = []
        if let since = unassignedSinceMillis, nowMillis - since >= ReadinessReason.unassignedMillisMax {
            let detail = "for \((nowMillis - since) / 1_000) s"
            problems.append(ReadinessReason(.notAssigned, stage: context.state.name, detail: detail))
        }
        context.state.report(problems)
    }

    // MARK: - Transactions

    /// Reads one batch and writes what follows from it.
    ///
    /// - Returns: How many records there were.
    private func takeAndWrite() throws(KafkaError) -> Int {
        // A commit of an end that is under way must not arrive after a transaction's and take the group back.
        guard let queue, !isCommitInFlight else { return 0 }
        let count = queue.take(into: &batch, max: Self.batchMax, timeoutMillis: 0)
        guard count > 0 else { return 0 }
        do {
            while let record = batch.next() { try write(record) }
            try commit()
        } catch {
            skipBatch()
            try goBack(after: error)
        }
        return count
    }

    /// Notes what was taken and not looked at, so that it is read again as well.
    private func skipBatch() {
        while let record = batch.next() {
            guard record.kind == .data else { continue }
            positions.took(topic: input(of: record), partition: record.partition, offset: record.offset)
        }
    }

    /// The input that a record comes from, as its place in the positions.
    private func input(of record: borrowing Record) -> Int {
        unsafe locations.isSource(of: record.topicBytes) ? 0 : 1
    }

    private func write(_ record: consuming Record) throws(KafkaError) {
        let input = input(of: record)
        let partition = record.partition
        switch record.kind {
        case .endOfPartition: return positions.reachedEnd(topic: input, partition: partition, at: record.offset)
        case .failed(let code):
            context.state.kafkaErrors.count(code)
            return log.warning("a partition cannot be read for now", ["kafka.partition": "\(record.topicPartition)"])
        case .data: break
        }
        if transactionBytes >= Self.batchBytesMax { try commit() }
        if !isTransactionOpen {
            try writers[turn].producer.begin()
            isTransactionOpen = true
        }
        positions.took(topic: input, partition: partition, offset: record.offset)
        transactionBytes += unsafe record.value?.count ?? 0
        if input == 0 {
            try writers[turn].write(record, from: locations)
        } else {
            try writers[turn].write(record, from: campaigns)
        }
    }

    /// Ends the open transaction with the offsets that it covers; the next one is the other producer's.
    private func commit() throws(KafkaError) {
        guard isTransactionOpen else { return }
        let producer = writers[turn].producer
        let offsets = positions.taken
        let group = try consumer.groupMetadata()
        try patiently { () throws(KafkaError) in
            try producer.send(offsets: offsets, group: group, timeoutMillis: Self.callMillis)
        }
        try patiently { () throws(KafkaError) in try producer.commit(timeoutMillis: Self.callMillis) }
        positions.transactionCommitted()
        writers[turn].tally.commit(to: context.metrics, wallMillis: Clock.wallMillis())
        isTransactionOpen = false
        transactionBytes = 0
        turn = 1 - turn
    }

    /// Repeats a call that may succeed later; a transaction that lasts too long is ended by its coordinator, and then
    /// the call fails for good.
    private func patiently(_ call: () throws(KafkaError) -> Void) throws(KafkaError) {
        while true {
            do {
                return try call()
            } catch {
                context.state.turned(nowMillis: Clock.monotonicMillis())
                guard error.isRetriable, !error.requiresAbort, !error.isFatal, !isStopping else { throw error }
                context.state.kafkaErrors.count(error.code)
                log.info("a transaction call is repeated", ["kafka.error": error.name])
            }
        }
    }

    /// Aborts, and takes the positions back to what is committed: nothing is written twice and nothing left out.
    private func goBack(after error: KafkaError) throws(KafkaError) {
        log.warning(
            "a transaction is given up and written again",
            ["kafka.error": error.name, "kafka.message": error.message]
        )
        context.state.kafkaErrors.count(error.code)
        context.metrics.transactionsAborted.add()
        writers[turn].tally.removeAll()
        _ = pause.wait(timeoutMillis: Self.failureMillis)
        var isLost = error.isFatal
        if isTransactionOpen && !isLost {
            let producer = writers[turn].producer
            do {
                try patiently { () throws(KafkaError) in try producer.abort(timeoutMillis: Self.callMillis) }
            } catch {
                log.warning("a transaction could not be aborted", ["kafka.error": error.name])
                isLost = true
            }
        }
        if isLost {
            // Fenced or broken: a new producer takes the id over, which also ends what the old one left open.
            guard let writer = makeWriter(turn == 0 ? "a" : "b") else { return }
            writers[turn] = writer
        }
        isTransactionOpen = false
        transactionBytes = 0
        positions.transactionAborted()
        try serveEvents()
        let starts = positions.starts
        if !starts.isEmpty { try consumer.seek(starts, timeoutMillis: Self.callMillis) }
    }

    /// Makes a producer, which fences a predecessor of its id; nil when the stage should stop instead.
    private func makeWriter(_ suffix: String) -> IntakeWriter? {
        while !isStopping {
            do {
                let writer = try IntakeWriter(
                    context.settings,
                    suffix: suffix,
                    pause: pause,
                    stop: context.stop
                )
                try patiently { () throws(KafkaError) in
                    try writer.producer.initTransactions(timeoutMillis: Self.callMillis)
                }
                return writer
            } catch {
                context.state.turned(nowMillis: Clock.monotonicMillis())
                context.state.kafkaErrors.count(error.code)
                log.warning("a transactional producer could not be started, trying again", ["kafka.error": error.name])
                _ = pause.wait(timeoutMillis: Self.failureMillis)
            }
        }
        return nil
    }
}
