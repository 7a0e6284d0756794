internal import EventLoop

/// An HTTP/2 connection to a server, for many requests at a time; confined to one thread, polled, never blocking.
///
/// After its descriptor was ready, or at its deadline: ``receive(nowMillis:)``, ``tick(nowMillis:)``, all events, new
/// requests, and one ``flush(nowMillis:)`` that writes what came of it, many requests at once.
@safe
public final class ClientConnection {
    /// What goes out at once: a full TLS record.
    private static let writeBytes = 16_384
    /// Room for what waits for the next record and for the frame that overfills it.
    private static let outputBytes = 2 * writeBytes + ClientSession.frameBytesMax
    /// What is read at once: a TLS record.
    private static let inputBytes = 16_384
    /// How many reads in a row before other connections have their turn.
    private static let readsMax = 64

    private let transport: Transport
    private let session = ClientSession()
    private let settings: ClientSettings
    private var liveness: ConnectionLiveness
    private let output: UnsafeMutableRawBufferPointer
    private var outputStart = 0
    private var outputEnd = 0
    private let input: UnsafeMutableRawBufferPointer

    /// Starts HTTP/2 on an open transport; the preface goes out with the first flush.
    ///
    /// - Parameters:
    ///   - transport: Open, and used by nobody else from now on.
    ///   - settings: The bounds.
    ///   - nowMillis: The monotonic clock.
    public init(transport: Transport, settings: ClientSettings, nowMillis: Int64) {
        self.transport = transport
        self.settings = settings
        liveness = ConnectionLiveness(settings, nowMillis: nowMillis)
        unsafe output = .allocate(byteCount: Self.outputBytes, alignment: 64)
        unsafe input = .allocate(byteCount: Self.inputBytes, alignment: 64)
    }

    deinit {
        unsafe output.deallocate()
        unsafe input.deallocate()
    }

    /// The socket, to wait on; closed with this object.
    public var fileDescriptor: Int32 { transport.fileDescriptor }

    /// Bytes wait for room in the socket.
    public private(set) var wantsWrite = false

    /// How many requests are open.
    public var openStreams: Int { session.streams.openCount }

    /// How many the peer allows; 1 until it has said so.
    public var streamLimit: Int { session.streamLimit }

    /// A request may be submitted now.
    public var isAccepting: Bool { session.isAccepting }

    /// The peer takes no new streams.
    public var hasGoAway: Bool { session.hasGoAway }

    /// The peer's words with its GOAWAY, at most 1,024 bytes.
    public var goAwayData: [UInt8] { session.goAwayData }

    /// The body of the response that ``nextEvent()`` gave last, at most 8 KiB; valid until the next call of it.
    public var responseBody: UnsafeRawBufferPointer { unsafe session.responseBody }

    /// When ``tick(nowMillis:)`` has something to do, by the monotonic clock; `Int64.max` for never.
    public var nextDeadlineMillis: Int64 {
        session.isClosed ? .max : min(session.deadlineMillis, liveness.dueMillis(isBusy: isBusy))
    }

    /// The peer owes us something: answers, or room in the socket.
    private var isBusy: Bool { openStreams > 0 || wantsWrite }

    /// Opens a request; it goes out with the next flush.
    ///
    /// - Parameters:
    ///   - headers: All of them; values that are not copied must stay until the final event.
    ///   - body: Not copied: it must stay until the final event.
    ///   - tag: The caller's name for the request, comes back with its final event.
    ///   - nowMillis: The monotonic clock; never before that of an earlier call.
    /// - Returns: False when no request may be submitted now.
    public func submit(
        _ headers: borrowing RequestHeaders,
        body: UnsafeRawBufferPointer,
        tag: UInt32,
        nowMillis: Int64
    ) -> Bool {
        let wasIdle = openStreams == 0
        let deadline = nowMillis + settings.requestTimeoutMillis
        guard unsafe session.submit(headers, body: body, tag: tag, deadlineMillis: deadline) else { return false }
        if wasIdle { liveness.becameBusy(nowMillis: nowMillis) }
        return true
    }

    /// Writes what waits, as far as the socket takes it.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    public func flush(nowMillis: Int64) {
        wantsWrite = false
        while !session.isClosed {
            fillOutput()
            guard outputStart < outputEnd else { return session.closeIfOver() }
            switch unsafe transport.write(UnsafeRawBufferPointer(rebasing: output[outputStart..<outputEnd])) {
            case .moved(let count): outputStart += count
            case .wouldBlock:
                wantsWrite = true
                return
            case .ended: session.close(.ended)
            case .failed(let message): session.close(.failed(message))
            }
        }
    }

    /// Gathers frames until they fill a record, so that none but the last goes out half empty.
    private func fillOutput() {
        let waiting = outputEnd - outputStart
        guard waiting < Self.writeBytes, let start = unsafe output.baseAddress else { return }
        if outputStart > 0, waiting > 0 { unsafe start.copyMemory(from: start + outputStart, byteCount: waiting) }
        outputStart = 0
        outputEnd = waiting
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[waiting...])
        outputEnd += unsafe session.pull(into: room, target: Self.writeBytes - waiting)
    }

    /// Reads what is there; a descriptor that stays readable has more.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    public func receive(nowMillis: Int64) {
        for _ in 0..<Self.readsMax {
            guard !session.isClosed else { return }
            switch unsafe transport.read(into: input) {
            case .moved(let count):
                liveness.heard(nowMillis: nowMillis)
                unsafe session.receive(UnsafeRawBufferPointer(rebasing: input[0..<count]))
            case .wouldBlock: return session.closeIfOver()
            case .ended: session.close(.ended)
            case .failed(let message): session.close(.failed(message))
            }
        }
    }

    /// Resets requests whose time is over, and asks a silent peer whether it lives.
    ///
    /// - Parameter nowMillis: The monotonic clock.
    public func tick(nowMillis: Int64) {
        guard nowMillis >= nextDeadlineMillis else { return }
        let openBefore = openStreams
        session.expire(nowMillis: nowMillis)
        if openStreams < openBefore { liveness.missedAnswer() }
        switch liveness.next(nowMillis: nowMillis, isBusy: isBusy) {
        case .none: break
        case .ping: session.ping()
        case .giveUp: session.close(.silent)
        }
    }

    /// Takes the next event; nil when there is none.
    public func nextEvent() -> ConnectionEvent? { session.nextEvent() }

    /// Resets every open request; their events follow.
    public func cancelAll() { session.cancelAll() }
}
