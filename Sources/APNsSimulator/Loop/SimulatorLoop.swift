internal import EventLoop
internal import HTTP2
internal import Observability

/// The loop that accepts, reads, judges and answers; confined to its thread.
final class SimulatorLoop {
    private static let listenerTag = UInt64.max
    private static let mailboxTag = UInt64.max - 1
    static let endMillis: Int64 = 5000
    static let handshakeMillis: Int64 = 15_000

    let options: SimulatorOptions
    let judge: RequestJudge
    let settings: ServerSettings
    private let tls: ServerTLS
    private let mailbox: LoopMailbox
    private let logger = Logger(label: "geopush.simulator")
    private var listener: Listener
    private var poller: Poller
    private var isListening = true

    private var peers: [Peer?] = []
    private var freePlaces: [Int] = []
    private var generation: UInt64 = 0
    private var peerCount = 0
    private var dirty: [Peer] = []
    private var busy: [Peer] = []
    private var checkMillis: Int64 = 0

    var faults = FaultEngine()
    var counters = Counters()
    var rateLimit: DeviceRateLimit?
    var held: HeldPushes
    var delayed = DelayedAnswers()
    var log: RequestLog?
    var kept: [AnsweredRequest] = []
    var scratch = TextBuffer(capacity: 512)
    var random: SplitMix
    var moment = Moment(nowMillis: Clock.monotonicMillis(), wallMillis: Clock.wallMillis())
    private var waiters: [Waiter] = []
    var isStopping = false

    private struct Waiter {
        let isDone: @Sendable (SimulatorLoop) -> Bool
        let deadlineMillis: Int64
        let reply: Reply<Bool>
    }

    init(
        _ options: SimulatorOptions,
        _ judge: RequestJudge,
        _ tls: ServerTLS,
        _ log: consuming RequestLog?,
        _ listener: consuming Listener,
        _ mailbox: LoopMailbox
    )
        throws(SystemError)
    {
        self.options = options
        self.judge = judge
        self.tls = tls
        self.log = log
        rateLimit = options.deviceRate.map { DeviceRateLimit($0) }
        held = HeldPushes(count: judge.devices?.count ?? 0)
        self.mailbox = mailbox
        var settings = ServerSettings(maxConcurrentStreams: options.firstStreamLimit)
        settings.bodyBytesKept = 8192
        self.settings = settings
        var seeds = SystemRandomNumberGenerator()
        random = SplitMix(seed: seeds.next())
        let poller = try Poller(capacity: 256)
        try poller.add(listener.fileDescriptor, .read, tag: Self.listenerTag)
        try poller.add(mailbox.signal.fileDescriptor, .read, tag: Self.mailboxTag)
        self.poller = poller
        self.listener = listener
        faults.set(options.faults, nowMillis: moment.nowMillis)
    }

    /// What was counted so far.
    var summary: SimulatorSummary {
        var summary = counters.summary
        let (stored, expired) = held.count(nowSeconds: moment.wallMillis / 1000)
        summary.stored = stored
        summary.replaced = held.replaced
        summary.expired = expired
        summary.logLinesLost = log?.lostLineCount ?? 0
        return summary
    }

    /// Runs until ``isStopping``.
    func run() {
        ServerTransport.blockBrokenPipeSignal()
        while !isStopping {
            let readyCount = poller.wait(timeoutMillis: timeoutMillis())
            moment = Moment(nowMillis: Clock.monotonicMillis(), wallMillis: Clock.wallMillis())
            let again = busy
            busy.removeAll(keepingCapacity: true)
            for index in 0..<readyCount { handle(poller[index]) }
            for peer in again { serve(peer) }
            answerDelayed()
            flushDirty()
            check()
        }
        log?.flush()
        for task in mailbox.finish() { task(self) }
        for waiter in waiters { waiter.reply.set(waiter.isDone(self)) }
    }

    /// Sets the reply once something holds, or when the time is over.
    func wait(_ reply: Reply<Bool>, timeoutMillis: Int, _ isDone: @escaping @Sendable (SimulatorLoop) -> Bool) {
        waiters.append(
            Waiter(isDone: isDone, deadlineMillis: moment.nowMillis + Int64(timeoutMillis), reply: reply)
        )
    }

    private func timeoutMillis() -> Int {
        if !busy.isEmpty { return 0 }
        var due = peerCount > 0 || !isListening ? checkMillis : Int64.max
        if let answer = delayed.dueMillis { due = min(due, answer) }
        if let line = log?.dueMillis { due = min(due, line) }
        for waiter in waiters { due = min(due, waiter.deadlineMillis) }
        return due == .max ? -1 : Int(max(0, due - Clock.monotonicMillis()))
    }

    private func handle(_ ready: Poller.Ready) {
        switch ready.tag {
        case Self.listenerTag: acceptAll()
        case Self.mailboxTag: for task in mailbox.take() { task(self) }
        default:
            let place = Int(ready.tag & 0xFFFF_FFFF)
            guard place < peers.count, let peer = peers[place], peer.tag == ready.tag else { return }
            if ready.isWritable { markDirty(peer) }
            if ready.isReadable { serve(peer) }
        }
    }

    private func serve(_ peer: Peer) {
        peer.connection.receive()
        while let request = peer.connection.nextRequest() { handle(request, of: peer) }
        if peer.connection.hasMoreInput { busy.append(peer) }
        markDirty(peer)
    }

    func markDirty(_ peer: Peer) {
        guard !peer.isDirty else { return }
        peer.isDirty = true
        dirty.append(peer)
    }

    private func answerDelayed() {
        while let next = delayed.next(nowMillis: moment.nowMillis) {
            send(next.answer, to: next.request, next.head, of: next.peer)
            markDirty(next.peer)
        }
    }

    private func flushDirty() {
        for peer in dirty {
            peer.isDirty = false
            peer.connection.flush()
            if peer.connection.isClosed {
                drop(peer)
            } else {
                watch(peer)
                if !peer.connection.isOpen, peer.deadlineMillis == nil, !peer.connection.isSilent {
                    peer.deadlineMillis = moment.nowMillis + Self.endMillis
                }
            }
        }
        dirty.removeAll(keepingCapacity: true)
    }

    private func watch(_ peer: Peer) {
        let wants = peer.connection.wantsWritable
        guard wants != peer.watchesWritable else { return }
        peer.watchesWritable = wants
        // Fails only for a descriptor that is not watched, which it is until it is dropped.
        try? poller.modify(peer.connection.fileDescriptor, wants ? [.read, .write] : .read, tag: peer.tag)
    }
}

// MARK: - Connections

extension SimulatorLoop {
    private func acceptAll() {
        do throws(SystemError) {
            while let descriptor = try listener.accept() { add(descriptor) }
        } catch {
            logger.warning("no more connections", ["error": "\(error)"])
            poller.remove(listener.fileDescriptor)
            isListening = false
        }
    }

    private func add(_ descriptor: Int32) {
        guard let transport = ServerTransport(takingOwnershipOf: descriptor, tls: tls) else { return }
        // Leaving the scope closes the connection.
        guard peerCount < options.connectionsMax else { return }
        guard let connection = ServerConnection(transport: transport, settings: settings) else { return }
        let place = freePlaces.popLast() ?? peers.count
        generation = (generation + 1) & 0x7FFF_FFFF
        let tag = generation << 32 | UInt64(place)
        guard (try? poller.add(descriptor, .read, tag: tag)) != nil else {
            freePlaces.append(place)
            return
        }
        if place == peers.count { peers.append(nil) }
        counters.connections += 1
        if peerCount == 0 { checkMillis = moment.nowMillis + 1000 }
        peerCount += 1
        peers[place] = Peer(
            connection,
            number: counters.connections,
            tag: tag,
            settings: settings,
            nowMillis: moment.nowMillis
        )
    }

    private func drop(_ peer: Peer) {
        let place = Int(peer.tag & 0xFFFF_FFFF)
        guard let known = peers[place], known === peer else { return }
        poller.remove(peer.connection.fileDescriptor)
        peer.connection.close()
        peers[place] = nil
        freePlaces.append(place)
        peerCount -= 1
    }

    /// Once a second: ends what hangs; at each turn: the log and those who wait.
    private func check() {
        if let due = log?.dueMillis, due <= moment.nowMillis { log?.flush() }
        if !waiters.isEmpty {
            waiters.removeAll { waiter in
                let isDone = waiter.isDone(self)
                guard isDone || waiter.deadlineMillis <= moment.nowMillis else { return false }
                waiter.reply.set(isDone)
                return true
            }
        }
        guard moment.nowMillis >= checkMillis else { return }
        checkMillis = moment.nowMillis + 1000
        if !isListening, (try? poller.add(listener.fileDescriptor, .read, tag: Self.listenerTag)) != nil {
            isListening = true
        }
        for case let peer? in peers {
            if let deadline = peer.deadlineMillis, deadline <= moment.nowMillis {
                drop(peer)
            } else if !peer.connection.isEstablished, moment.nowMillis - peer.acceptedMillis > Self.handshakeMillis {
                drop(peer)
            }
        }
    }
}
