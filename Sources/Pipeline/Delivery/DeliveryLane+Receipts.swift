internal import APNs
internal import Events
internal import Kafka
internal import Observability

/// From the end of a push to the acknowledgement of its receipt.
extension DeliveryLane {
    /// How far a time of APNs may lie ahead, in milliseconds.
    private static let clockErrorMillis: Int64 = 365 * 86_400_000

    /// Ends a push whose time has passed, with the reason of its last attempt if that had one.
    ///
    /// - Returns: Whether it has ended.
    func endIfExpired(_ slot: Int32) -> Bool {
        guard pushes[slot].giveUpAtMillis <= wallMillis else { return false }
        end(slot, .expired, httpStatus: Int(pushes[slot].lastStatus))
        return true
    }

    /// Ends a push: writes its receipt and lets the next push of its token go.
    ///
    /// - Parameters:
    ///   - slot: The push.
    ///   - status: How it ended.
    ///   - reason: Our reason; without one, that of its last attempt stands in the receipt.
    ///   - httpStatus: The status of the last answer; 0 without one.
    ///   - unregisteredAtMillis: When APNs says that the token died; -1 where it did not.
    func end(
        _ slot: Int32,
        _ status: ReceiptStatus,
        reason: StaticString? = nil,
        httpStatus: Int = 0,
        unregisteredAtMillis: Int64 = -1
    ) {
        unsafe receipts.fields.take(pushes[slot].fields, token: pushes[slot].token)
        receipts.fields.status = status
        receipts.fields.httpStatus = httpStatus
        receipts.fields.attempts = Int(pushes[slot].attempts)
        receipts.fields.unregisteredAtMillis = unregisteredAtMillis
        receipts.fields.queuedAtMillis = pushes[slot].queuedAtMillis
        if pushes[slot].attempts > 0 { receipts.fields.sentAtMillis = pushes[slot].sentAtMillis }
        if httpStatus > 0 {
            receipts.fields.answeredAtMillis = wallMillis
            metrics.queuedToAnswered.observe(fromMillis: pushes[slot].queuedAtMillis, toMillis: wallMillis)
        }
        receipts.fields.atMillis = wallMillis
        if let reason {
            metrics.pushes.count(status, own: reason)
            unsafe receipts.fields.reason = Self.bytes(reason)
            writeReceipt(slot)
        } else if status != .accepted, let last = pushes[slot].lastReason {
            metrics.pushes.count(status, last)
            writeReceipt(slot, reason: last)
        } else if status == .expired {
            metrics.pushes.count(status, own: EventPushes.expired)
            unsafe receipts.fields.reason = Self.bytes(EventPushes.expired)
            writeReceipt(slot)
        } else {
            metrics.pushes.count(status)
            writeReceipt(slot)
        }
        leave(slot)
    }

    /// The reason's text is lent to the receipt while it is written.
    private func writeReceipt(_ slot: Int32, reason: Reason) {
        switch reason {
        case .known(let known):
            unsafe receipts.fields.reason = Self.bytes(known.name)
            writeReceipt(slot)
        case .unknown(var text):
            text.withUTF8 { bytes in
                unsafe receipts.fields.reason = UnsafeRawBufferPointer(bytes)
                writeReceipt(slot)
            }
        }
    }

    private static func bytes(_ text: StaticString) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    private func writeReceipt(_ slot: Int32) {
        let origin = pushes[slot].origin
        if let partition = partition(of: origin) {
            unsafe receipts.fields.topic = partition.topicBytes
            receipts.fields.partition = partition.id.partition
        }
        receipts.fields.offset = pushes[slot].offset
        if unsafe receipts.fields.app.isEmpty, pushes[slot].app >= 0 {
            let app = apps[pushes[slot].app].id
            unsafe app.withUnsafeBytes { bytes in
                unsafe receipts.fields.app = bytes
                writeReceipt(origin)
            }
        } else {
            writeReceipt(origin)
        }
    }

    private func writeReceipt(_ origin: PushOrigin) {
        receipts.write()
        unsafe produce(
            isReceipt: true,
            key: receipts.writer.keyBytes,
            value: receipts.writer.valueBytes,
            origin: origin.packed
        )
    }

    /// Takes a push out of its slot; the next of its token has its turn.
    private func leave(_ slot: Int32) {
        if pushes[slot].isOrdered {
            let follower = pushes[slot].follower
            if follower >= 0 { makeReady(follower) } else { tokens.leave(pushes[slot].tokenHash) }
        }
        pushes.release(slot)
    }

    /// Ends a push whose token is dead, and tells the teams' tables.
    func unregister(_ slot: Int32, _ answer: Answer) {
        // A time before 1970 or a year ahead cannot be when a token died, whatever the clocks say.
        let told = answer.unregisteredAtMillis ?? pushes[slot].sentAtMillis
        let isPossible = told >= 0 && told < wallMillis + Self.clockErrorMillis
        let diedAt = isPossible ? told : pushes[slot].sentAtMillis
        let origin = pushes[slot].origin.packed
        receipts.pair(origin)
        unsafe receipts.writeUnregistered(
            pushes[slot].fields,
            token: pushes[slot].token,
            app: apps[pushes[slot].app].id,
            atMillis: diedAt
        )
        let named = pushes[slot].fields.integer(.devicePartition, absent: -1) ?? -1
        // A partition that is not there would be refused for ever; then the key decides.
        let isThere = named >= 0 && named < unregisteredTopic.partitionCount
        unsafe produce(
            isReceipt: false,
            partition: isThere ? Int32(named) : -1,
            key: receipts.unregisteredKey.bytes,
            value: receipts.unregisteredValue.bytes,
            origin: origin
        )
        end(slot, .unregistered, httpStatus: Int(answer.status), unregisteredAtMillis: diedAt)
    }

    // MARK: - Acknowledgements

    private func produce(
        isReceipt: Bool,
        partition: Int32 = -1,
        key: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer,
        origin: UInt64
    ) {
        let header = unsafe HeaderReference(name: "content-type", value: Self.bytes(ReceiptWriter.contentType))
        let result = unsafe producer.produce(
            to: isReceipt ? receiptsTopic : unregisteredTopic,
            partition: partition,
            key: key,
            value: value,
            header: isReceipt ? header : nil,
            opaque: origin
        )
        receipts.handedOver()
        receiptProbe.handedOver(origin, nowMillis: nowMillis)
        guard result != .queued else { return }
        let record = unsafe ReceiptOutbox.Refused(
            isReceipt: isReceipt,
            partition: partition,
            key: Array(key),
            value: Array(value),
            origin: origin
        )
        refused(record, "\(result)")
    }

    /// Keeps a record that Kafka does not take; it is written again until Kafka does.
    private func refused(_ record: ReceiptOutbox.Refused, _ reason: String) {
        if receipts.retryAtMillis == nil {
            log.error("Kafka refuses a receipt, which is written again", ["kafka.error": reason])
        }
        receipts.keep(record, nowMillis: nowMillis)
    }

    /// Takes the acknowledgements that have come.
    func serveReports() {
        var count = reports.capacity
        while count == reports.capacity {
            count = producer.pollReports(&reports)
            for index in 0..<count {
                let report = reports[index]
                guard report.isAcknowledged else { continue }
                if let millis = receiptProbe.acknowledged(report.opaque, nowMillis: nowMillis) {
                    metrics.receiptToAcknowledged.observe(millis: millis)
                }
                if receipts.acknowledged(report.opaque) { finished(PushOrigin(packed: report.opaque)) }
            }
            for failure in reports.failures { failed(failure) }
        }
        for record in receipts.takeDue(nowMillis: nowMillis) { writeAgain(record) }
    }

    private func failed(_ message: FailedMessage) {
        context.state.kafkaErrors.count(message.code)
        if let error = producer.fatalError { return fatal("the producer is lost: \(error)") }
        let record = ReceiptOutbox.Refused(
            isReceipt: message.topic == receiptsTopic.name,
            partition: message.partition,
            key: message.key ?? [],
            value: message.value ?? [],
            origin: message.opaque
        )
        refused(record, KafkaError(code: message.code).name)
    }

    /// Writes a refused record again, unless its partition is another's by now: then that one sends the push again.
    private func writeAgain(_ record: ReceiptOutbox.Refused) {
        _ = receipts.acknowledged(~0)
        unsafe record.key.withUnsafeBytes { key in
            unsafe record.value.withUnsafeBytes { value in
                unsafe produce(
                    isReceipt: record.isReceipt,
                    partition: record.partition,
                    key: key,
                    value: value,
                    origin: record.origin
                )
            }
        }
    }
}
