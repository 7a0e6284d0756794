internal import APNs
internal import Events
internal import Glibc
internal import HTTP2
internal import Kafka
internal import Observability

/// From a record to a request.
extension DeliveryLane {
    /// What a push without its own expiration gets, in seconds after its record's timestamp.
    private static let expirationSeconds: Int64 = 3_600
    /// The version of push records that this program writes and reads.
    private static let version: Int64 = 1

    /// Takes a record in: it becomes a push that is sent or waits, or ends at once with a receipt.
    func admit(_ record: consuming Record, from partition: DeliveryPartition) {
        // What was fetched together with the push of a later version is left to its reader, too.
        guard partition.stop == nil else { return }
        guard case .track(let sequence) = partition.watermark.received(record.offset) else {
            return commits.advanced(by: 1)
        }
        let origin = PushOrigin(partition: partition.place, epoch: partition.epoch, sequence: sequence)
        #if GEOPUSH_COMMIT_BEFORE_RECEIPT
        // Loses pushes: a build that `make chaos-broken` must catch.
        partition.watermark.finished(sequence: sequence)
        #endif
        // A tombstone asks for nothing.
        guard unsafe record.value != nil else { return finished(origin) }
        guard let slot = pushes.take() else {
            // Never: room was counted before. Left unfinished, it comes again.
            return log.error("no slot for a push", ["kafka.offset": "\(record.offset)"])
        }
        let timestampMillis = record.timestampMillis
        pushes[slot].origin = origin
        pushes[slot].offset = record.offset
        pushes[slot].hold(record)
        pushes[slot].decodeFields()
        let version = pushes[slot].fields.integer(.version, absent: Self.version) ?? 0
        guard version <= Self.version else { return stop(partition, at: slot) }
        complete(slot, partition)
        guard prepare(slot, version: version, timestampMillis: timestampMillis) else { return }
        let hash = unsafe TokenOrder.hash(of: pushes[slot].token)
        pushes[slot].tokenHash = hash
        switch tokens.enter(hash, slot: slot) {
        case .first: makeReady(slot)
        case .behind(let other):
            pushes[slot].state = .following
            pushes[slot].detach(scratch: &scratch)
            pushes[other].follower = slot
        }
    }

    /// A later version means that a newer geopush is being rolled out: its records are left to it.
    private func stop(_ partition: DeliveryPartition, at slot: Int32) {
        partition.stop = .unknownVersion(offset: pushes[slot].offset)
        log.error(
            "a push of a later version holds its partition",
            ["kafka.topic": partition.id.topic, "kafka.partition": "\(partition.id.partition)"]
        )
        pushes.release(slot)
    }

    /// Adds what a push of another team may leave out: the id of its event, and its own.
    private func complete(_ slot: Int32, _ partition: DeliveryPartition) {
        let lacksEvent = !pushes[slot].fields.has(.eventID)
        let lacksID = !pushes[slot].fields.has(.apnsID)
        guard lacksEvent || lacksID else { return }
        var event = ByteBuffer(capacity: 128)
        if lacksEvent {
            event.append(text: "\(partition.id.topic)/\(partition.id.partition)/\(pushes[slot].offset)")
        } else {
            unsafe event.append(pushes[slot].fields[.eventID])
        }
        var source = ByteBuffer(capacity: 128)
        source.append(text: "/\(partition.id.topic)")
        unsafe ids.setEvent(source: source.bytes, eventID: event.bytes)
        var id = ByteBuffer(capacity: 64)
        unsafe ids.append(token: pushes[slot].token, to: &id)
        if lacksEvent { unsafe pushes[slot].fields.set(.eventID, event.bytes) }
        if lacksID { unsafe pushes[slot].fields.set(.apnsID, id.bytes) }
        // The two end with this function; their copies do not.
        pushes[slot].detach(scratch: &scratch)
    }

    /// Checks a push, and finds its app and pool.
    ///
    /// - Returns: False when it has ended.
    private func prepare(_ slot: Int32, version: Int64, timestampMillis: Int64) -> Bool {
        let timestamp = timestampMillis > 0 ? timestampMillis : wallMillis
        var fault: StaticString?
        do {
            let request = try request(slot, defaultExpirationSeconds: timestamp / 1_000 + Self.expirationSeconds)
            pushes[slot].request = request
            pushes[slot].expirationSeconds = request.expirationSeconds
            fault = unsafe version == Self.version ? findPool(slot, topic: request.topic) : "geopush:invalid-version"
        } catch {
            fault = error.reason
        }
        let queuedAt = pushes[slot].fields.integer(.queuedAt, absent: timestamp) ?? timestamp
        pushes[slot].queuedAtMillis = queuedAt
        let expiration = pushes[slot].expirationSeconds
        // Anybody's number: one ahead of the clock would hold the push for longer, or not fit 64 bits.
        let heldSince = min(queuedAt, wallMillis)
        pushes[slot].giveUpAtMillis =
            expiration > 0 ? expiration * 1_000 : heldSince + context.settings.delivery.maxHoldMillis
        if let fault {
            end(slot, .rejected, reason: fault)
            return false
        }
        return !endIfExpired(slot)
    }

    /// The values of a push as a checked request.
    private func request(_ slot: Int32, defaultExpirationSeconds: Int64) throws(PushFault) -> PushRequest {
        var fields = PushFields()
        unsafe fields.token = pushes[slot].token
        unsafe fields.topic = unsafe pushes[slot].fields[.apnsTopic]
        unsafe fields.pushType = unsafe pushes[slot].fields[.apnsPushType]
        unsafe fields.priority = unsafe pushes[slot].fields[.apnsPriority]
        unsafe fields.expiration = unsafe pushes[slot].fields[.apnsExpiration]
        unsafe fields.collapseID = unsafe pushes[slot].fields[.apnsCollapseID]
        unsafe fields.apnsID = unsafe pushes[slot].fields[.apnsID]
        unsafe fields.body = pushes[slot].body
        return try PushRequest(fields, defaultExpirationSeconds: defaultExpirationSeconds)
    }

    /// The checked request of a push, made anew where its bytes have moved.
    private func requestToSend(_ slot: Int32) -> PushRequest? {
        if let request = pushes[slot].request { return request }
        do {
            let request = try request(slot, defaultExpirationSeconds: pushes[slot].expirationSeconds)
            pushes[slot].request = request
            return request
        } catch {
            // Never: the same bytes were checked when the push came.
            log.error("a push has changed while it waited", ["reason": "\(error.reason)"])
            return nil
        }
    }

    private func findPool(_ slot: Int32, topic: UnsafeRawBufferPointer) -> StaticString? {
        let app =
            unsafe pushes[slot].fields.has(.app)
            ? apps.index(id: pushes[slot].fields[.app]) : apps.index(topic: topic)
        guard app >= 0 else { return "geopush:unknown-app" }
        var isSandbox = false
        if pushes[slot].fields.has(.environment) {
            isSandbox = unsafe equal(pushes[slot].fields[.environment], "sandbox")
            let isProduction = unsafe equal(pushes[slot].fields[.environment], "production")
            guard isSandbox || isProduction else { return "geopush:invalid-environment" }
        }
        pushes[slot].app = app
        pushes[slot].pool = apps[app].credential * 2 + (isSandbox ? 1 : 0)
        return nil
    }

    private func equal(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard let start = bytes.baseAddress, bytes.count == text.utf8CodeUnitCount else { return false }
        return unsafe memcmp(start, text.utf8Start, bytes.count) == 0
    }

    /// Puts a push where it waits for a place on a connection.
    func makeReady(_ slot: Int32) {
        pushes[slot].state = .ready
        pools[Int(pushes[slot].pool)].ready.append(slot, in: &pushes)
    }

    /// Sends what can be sent now.
    func dispatch() {
        guard drain == nil, !suspension.isActive else { return }
        for pool in pools where pool.ready.count > 0 { dispatch(pool) }
    }

    private func dispatch(_ pool: DeliveryPool) {
        while inFlight < context.settings.delivery.inFlight, let slot = pool.ready.removeFirst(in: &pushes) {
            if pushes[slot].attempts > 0 || pushes[slot].isDetached, endIfExpired(slot) { continue }
            let held = heldUntilMillis[Int(pushes[slot].app)]
            if held > nowMillis {
                pause(slot, millis: held - nowMillis)
                continue
            }
            guard let id = pool.machine.next(nowMillis: nowMillis) else {
                return pool.ready.prepend(slot, in: &pushes)
            }
            guard let link = pool.link(id), submit(slot, pool, link) else {
                pool.machine.submissionFailed(id, nowMillis: nowMillis)
                pool.ready.prepend(slot, in: &pushes)
                continue
            }
        }
    }

    private func submit(_ slot: Int32, _ pool: DeliveryPool, _ link: DeliveryLink) -> Bool {
        guard let token = pool.token else { return false }
        guard let request = requestToSend(slot) else { return false }
        unsafe pool.headers.write(request, authorization: token.authorization, to: &headers)
        let isSent = unsafe link.connection.submit(
            headers,
            body: pushes[slot].body,
            tag: UInt32(bitPattern: slot),
            nowMillis: nowMillis
        )
        guard isSent else { return false }
        link.tokenGeneration = token.version.generation
        pushes[slot].state = .inFlight
        pushes[slot].attempts += 1
        pushes[slot].sentAtMillis = wallMillis
        inFlight += 1
        return true
    }

    // MARK: - Waiting

    /// Lets a push wait for a time; its record's fetch must not.
    func pause(_ slot: Int32, millis: Int64) {
        pushes[slot].state = .pausing
        pushes[slot].detach(scratch: &scratch)
        let left = max(0, pushes[slot].giveUpAtMillis - wallMillis)
        retries.insert(slot: slot, dueMillis: nowMillis + min(millis, left))
    }

    /// Puts the pushes whose pause is over where they can be sent.
    func resumePaused() {
        while let slot = retries.removeDue(nowMillis: nowMillis) { makeReady(slot) }
    }

    /// Copies what has waited a while for a connection, so that it does not keep whole fetches in memory.
    func detachWaiting() {
        for pool in pools where pool.ready.count > 0 {
            pool.ready.forEach(in: &pushes) { (push: inout Push) in push.detach(scratch: &scratch) }
        }
    }

    /// Forgets every push; what was not finished comes again, here or at another lane.
    func dropPushes() {
        for pool in pools { pool.ready.removeAll() }
        retries.removeAll()
        tokens.removeAll()
        pushes.releaseAll()
        inFlight = 0
    }
}
