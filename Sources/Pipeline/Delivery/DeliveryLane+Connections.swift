internal import APNs
internal import EventLoop
internal import HTTP2
internal import Observability

/// Connections: opened when a pool asks for one, watched, and closed.
extension DeliveryLane {
    /// How long opening a connection may take, in milliseconds.
    private static let connectMillis = 10_000

    /// Takes the connections that the connector has opened.
    func serveConnects() {
        while let (ticket, result) = mailbox.next() {
            let pool = pools[Int(ticket >> 56)]
            let id = ConnectionID(rawValue: ticket & (1 << 56 - 1))
            switch result {
            case .success(let transport): opened(transport, id, pool: Int(ticket >> 56))
            case .failure(let error):
                pool.machine.connectFailed(id, nowMillis: nowMillis)
                metrics.happened(.failed)
                log.warning(
                    "APNs is out of reach, trying again",
                    ["apns.host": "\(pool.endpoint)", "reason": error.kind.rawValue, "message": error.message]
                )
                sayStarting("APNs \(pool.endpoint) is out of reach: \(error)")
            }
        }
    }

    private func opened(_ transport: Transport, _ id: ConnectionID, pool: Int) {
        guard pools[pool].machine.connected(id, nowMillis: nowMillis) else { return }
        let connection = ClientConnection(transport: transport, settings: clientSettings, nowMillis: nowMillis)
        let place = links.firstIndex { $0 == nil } ?? links.count
        let link = DeliveryLink(id: id, connection: connection, pool: pool, tag: UInt64(place) + 1)
        do {
            try poller.add(connection.fileDescriptor, .read, tag: link.tag)
        } catch {
            log.error("a connection cannot be watched", ["error": "\(error)"])
            return pools[pool].machine.closed(id, nowMillis: nowMillis)
        }
        if place == links.count { links.append(link) } else { links[place] = link }
        pools[pool].links.append(link)
        log.info("connected to APNs", ["apns.host": "\(pools[pool].endpoint)", "lane": "\(context.index)"])
        hasConnected = true
        metrics.happened(.opened)
    }

    /// Does what the pools ask for.
    func servePools() {
        for index in pools.indices {
            let pool = pools[index]
            while let action = pool.machine.nextAction(nowMillis: nowMillis) {
                switch action {
                case .connect(let id):
                    context.connector.connect(
                        to: pool.endpoint,
                        timeoutMillis: Self.connectMillis,
                        ticket: UInt64(index) << 56 | id.rawValue,
                        mailbox: mailbox
                    )
                case .retire(let id): pool.link(id)?.isRetired = true
                }
            }
            pool.links.removeAll { $0.isRetired || $0.isClosed }
            sayStatus(pool)
        }
    }

    /// Says once when a key is halted, and when it works again.
    private func sayStatus(_ pool: DeliveryPool) {
        let status = pool.machine.status
        guard status != pool.saidStatus else { return }
        if case .held(let cause) = status {
            log.error("pushes wait: APNs refuses the key", ["key": "\(pool.tokens.identity)", "cause": "\(cause)"])
        } else if case .held = pool.saidStatus {
            log.notice("APNs takes the key again", ["key": "\(pool.tokens.identity)"])
        }
        pool.saidStatus = status
    }

    /// Looks whether provider tokens have changed; about once a second, and when one was refused.
    func refreshTokens() {
        for pool in pools {
            let token = pool.tokens.current(wallMillis: wallMillis, nowMillis: nowMillis)
            guard pool.token?.version != token.version else { continue }
            pool.token = token
            pool.machine.tokenChanged(to: token.version, nowMillis: nowMillis)
        }
    }

    /// Lets all connections see the time, write what waits, and go when they have ended.
    func flushLinks() {
        for place in links.indices {
            guard let link = links[place] else { continue }
            link.connection.tick(nowMillis: nowMillis)
            link.connection.flush(nowMillis: nowMillis)
            serve(link)
            if link.isClosed || (link.isRetired && link.connection.openStreams == 0) {
                poller.remove(link.connection.fileDescriptor)
                pools[link.pool].links.removeAll { $0 === link }
                links[place] = nil
            } else if link.connection.wantsWrite != link.isWatchedForWriting {
                watch(link)
            }
        }
    }

    private func watch(_ link: DeliveryLink) {
        link.isWatchedForWriting = link.connection.wantsWrite
        do {
            try poller.modify(
                link.connection.fileDescriptor,
                link.isWatchedForWriting ? [.read, .write] : .read,
                tag: link.tag
            )
        } catch {
            // Only its own deadlines wake the connection from now on, and end it.
            log.error("a connection cannot be watched", ["error": "\(error)"])
        }
    }

    /// Resets every open stream; their pushes are unfinished.
    func resetStreams() {
        for case let link? in links {
            link.connection.cancelAll()
            serve(link)
            link.connection.flush(nowMillis: nowMillis)
        }
    }

    /// When a connection or a pool has something to do by itself.
    var connectionsDueMillis: Int64 {
        var due = Int64.max
        for case let link? in links { due = min(due, link.connection.nextDeadlineMillis) }
        for pool in pools { due = min(due, pool.machine.nextDeadlineMillis) }
        return due
    }
}
