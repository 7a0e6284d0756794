internal import CNghttp2
internal import Glibc

/// One HTTP/2 connection of a server; confined to one thread.
///
/// The loop calls ``receive()`` when the socket is readable, takes the requests, answers them in any order, and calls
/// ``flush()`` once for all of them, so that one write carries many answers. nghttp2 keeps the protocol: a peer that
/// breaks it gets the reset or the GOAWAY that RFC 9113 names, and its connection ends.
/// See <https://nghttp2.org/documentation/nghttp2_session_mem_recv.html>.
@safe
public final class ServerConnection {
    private static let recordBytes = 16_384

    private enum Phase {
        case open
        /// Our end is said; what the peer still sends is thrown away until its end.
        case finishing
        /// The peer gets neither answers nor an end.
        case silent
        case closed
    }

    let settings: ServerSettings
    private var transport: ServerTransport
    private var phase = Phase.open
    private var session: OpaquePointer?
    private var input: GrowingBytes
    private var output: GrowingBytes
    private var outputSent = 0

    var receiving: ServerRequest?
    private var requests: [ServerRequest] = []
    private var free: [ServerRequest] = []
    private var ready: [ServerRequest] = []
    private var readyTaken = 0

    /// The highest stream that a request began on; 0 before the first.
    public internal(set) var lastStreamID: Int32 = 0
    /// Whether more input may wait than the last ``receive()`` took: call it again without waiting for the socket.
    public private(set) var hasMoreInput = false
    /// Whether the socket has to take more before ``flush()`` can go on.
    public private(set) var wantsWritable = false
    /// How many requests began on the connection.
    public internal(set) var requestCount = 0

    /// Starts a session and puts its SETTINGS into the first write; nil where memory is short.
    ///
    /// - Parameters:
    ///   - transport: The accepted socket.
    ///   - settings: What is announced and borne.
    public init?(transport: consuming ServerTransport, settings: ServerSettings) {
        self.transport = transport
        self.settings = settings
        self.input = GrowingBytes(capacity: Self.recordBytes)
        self.output = GrowingBytes(capacity: 2 * Self.recordBytes + 512)
        guard let session = unsafe makeServerSession(owner: self) else { return nil }
        unsafe self.session = session
        let entries = [
            entry(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableBytes),
            entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings.maxConcurrentStreams),
            entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowBytes),
            entry(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.frameBytesMax),
            entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.headerListBytesMax),
        ]
        submit(settings: entries)
    }

    deinit {
        // Requests refer to nothing of the session, so they may live on in the hands of the loop.
        for request in requests { request.isClosed = true }
        unsafe nghttp2_session_del(session)
    }

    /// The socket, to wait on.
    public var fileDescriptor: Int32 { transport.fileDescriptor }

    /// Whether the connection is over; the loop drops it.
    public var isClosed: Bool { phase == .closed }

    /// Whether the connection still takes requests and answers.
    public var isOpen: Bool { phase == .open }

    /// Whether it was told to fall silent.
    public var isSilent: Bool { phase == .silent }

    /// Whether TLS is set up and something has come through it.
    public private(set) var isEstablished = false

    /// How many requests have begun and are neither answered to the end nor reset.
    public var openStreamCount: Int { requests.count - free.count }
}

// MARK: - Bytes

extension ServerConnection {
    /// Reads what has arrived, up to a bound that leaves other connections their turn.
    public func receive() {
        hasMoreInput = false
        // A peer that does not read its answers is not read from.
        if phase == .open, outboundFrameCount > settings.outboundFramesMax { return }
        for _ in 0..<4 {
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: input.pointer(at: 0), count: Self.recordBytes)
            let outcome: ServerTransport.Outcome
            switch phase {
            case .open: outcome = unsafe transport.read(into: buffer)
            case .finishing, .silent: outcome = unsafe transport.discard(into: buffer)
            case .closed: return
            }
            switch outcome {
            case .moved(let count):
                if phase == .open, unsafe !feed(unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return }
            case .wouldBlock:
                if transport.needsWritable { wantsWritable = true }
                return
            case .closed:
                close()
                return
            }
        }
        hasMoreInput = true
    }

    private var outboundFrameCount: Int {
        unsafe session == nil ? 0 : nghttp2_session_get_outbound_queue_size(session)
    }

    private func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isEstablished = true
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let taken = unsafe nghttp2_session_mem_recv(session, start, bytes.count)
        if taken >= 0 { return true }
        // No HTTP/2 at all, or a flood: nghttp2 may have a GOAWAY to say before the end.
        flush()
        if phase == .open { close() }
        return false
    }

    /// Writes all that is to be said, until the socket takes no more.
    public func flush() {
        guard phase == .open else { return }
        while true {
            if outputSent == output.count {
                output.removeAll()
                outputSent = 0
                guard fill() else {
                    close()
                    return
                }
                if output.count == 0 { break }
            }
            let rest = unsafe UnsafeRawBufferPointer(
                start: output.pointer(at: outputSent),
                count: output.count - outputSent
            )
            switch unsafe transport.write(rest) {
            case .moved(let count): outputSent += count
            case .wouldBlock:
                wantsWritable = transport.needsWritable
                return
            case .closed:
                close()
                return
            }
        }
        wantsWritable = false
        if unsafe nghttp2_session_want_read(session) == 0, unsafe nghttp2_session_want_write(session) == 0 { finish() }
    }

    /// Gathers frames up to one TLS record.
    private func fill() -> Bool {
        while output.count < Self.recordBytes {
            var chunk: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &chunk)
            if count <= 0 { return count == 0 }
            unsafe output.append(UnsafeRawBufferPointer(start: chunk, count: count))
        }
        return true
    }

    /// Ends the connection from our side and waits for the peer's end, so that the last answers arrive.
    private func finish() {
        transport.finish()
        phase = .finishing
        dropSession()
    }

    /// Ends the connection at once, whatever is open.
    public func close() {
        guard phase != .closed else { return }
        phase = .closed
        wantsWritable = false
        dropSession()
    }

    /// Answers nothing any more and keeps the connection: to the peer it looks like a host that is gone.
    public func fallSilent() {
        guard phase == .open else { return }
        phase = .silent
        wantsWritable = false
        dropSession()
    }

    private func dropSession() {
        for request in requests where !request.isClosed { closed(request) }
        ready.removeAll()
        readyTaken = 0
        // Called from inside a callback's caller only after nghttp2 has returned.
        unsafe nghttp2_session_del(session)
        unsafe session = nil
    }
}

// MARK: - Requests and answers

extension ServerConnection {
    /// Takes the next request that is complete, or too large to be completed.
    ///
    /// - Returns: Nil where there is none; else the request, to be answered, reset or dropped.
    public func nextRequest() -> ServerRequest? {
        while readyTaken < ready.count {
            let request = ready[readyTaken]
            readyTaken += 1
            request.isQueued = false
            if request.isClosed {
                recycle(request)
                continue
            }
            if request.isOversized {
                request.isHeld = true
                reset(request, .enhanceYourCalm)
                continue
            }
            request.isHeld = true
            return request
        }
        ready.removeAll(keepingCapacity: true)
        readyTaken = 0
        return nil
    }

    /// Sends the answer that was set in the request.
    ///
    /// - Parameter request: One from ``nextRequest()``; it is not to be used any more.
    public func answer(_ request: ServerRequest) {
        request.isHeld = false
        guard phase == .open, !request.isClosed else {
            recycle(request)
            return
        }
        request.isAnswered = true
        let pairs = unsafe request.answerPairs()
        let result: Int32
        if request.answerBody.isEmpty {
            result = unsafe nghttp2_submit_response(session, request.streamID, pairs, request.answerFieldCount, nil)
        } else {
            var provider = unsafe nghttp2_data_provider()
            unsafe provider.source.ptr = Unmanaged.passUnretained(request).toOpaque()
            unsafe provider.read_callback = readAnswerBody
            result = unsafe nghttp2_submit_response(
                session,
                request.streamID,
                pairs,
                request.answerFieldCount,
                &provider
            )
        }
        if result != 0 { resetStream(request.streamID, .internalError) }
    }

    /// Resets the stream of a request instead of answering it.
    ///
    /// - Parameters:
    ///   - request: One from ``nextRequest()``; it is not to be used any more.
    ///   - code: Why; `refusedStream` says that nothing was done with it.
    public func reset(_ request: ServerRequest, _ code: HTTP2ErrorCode) {
        request.isHeld = false
        guard phase == .open, !request.isClosed else {
            recycle(request)
            return
        }
        resetStream(request.streamID, code)
    }

    /// Gives a request back without an answer: its stream stays open until the peer or the connection ends it.
    ///
    /// - Parameter request: One from ``nextRequest()``; it is not to be used any more.
    public func drop(_ request: ServerRequest) {
        request.isHeld = false
        if request.isClosed { recycle(request) }
    }

    func resetStream(_ streamID: Int32, _ code: HTTP2ErrorCode) {
        // Fails only where memory is short.
        _ = unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), streamID, code.rawValue)
    }

    /// Says that no request above a stream will be answered, and ends the connection once those up to it are.
    ///
    /// - Parameters:
    ///   - lastStreamID: Streams above it are closed; at most ``lastStreamID``.
    ///   - code: Why.
    ///   - debugData: What else is said.
    public func goAway(lastStreamID: Int32, _ code: HTTP2ErrorCode, debugData: [UInt8]) {
        guard phase == .open else { return }
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        let last = min(lastStreamID, self.lastStreamID)
        // Fails only where memory is short.
        _ = unsafe nghttp2_submit_goaway(session, flags, last, code.rawValue, debugData, debugData.count)
    }

    /// Announces another limit of concurrent streams.
    public func setMaxConcurrentStreams(_ count: UInt32) {
        submit(settings: [entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, count)])
    }

    /// Announces another window for each stream.
    ///
    /// - Parameter bytes: At most 2,147,483,647.
    public func setInitialWindow(bytes: UInt32) {
        submit(settings: [entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, min(bytes, 0x7FFF_FFFF))])
    }

    /// The streams that are open and not answered, the highest first.
    public func unansweredStreamIDs() -> [Int32] {
        requests.filter { !$0.isClosed && !$0.isAnswered && $0.streamID > 0 }.map(\.streamID).sorted(by: >)
    }

    private func submit(settings entries: [nghttp2_settings_entry]) {
        guard unsafe session != nil else { return }
        // Fails only where memory is short or a value is out of range.
        _ = unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
    }

    private func entry(_ name: nghttp2_settings_id, _ value: UInt32) -> nghttp2_settings_entry {
        nghttp2_settings_entry(settings_id: Int32(bitPattern: name.rawValue), value: value)
    }
}

// MARK: - What the callbacks do

extension ServerConnection {
    func began(streamID: Int32) -> ServerRequest {
        let request: ServerRequest
        if let used = free.popLast() {
            request = used
        } else {
            let bytesMax = Int(settings.headerListBytesMax)
            request = ServerRequest(headBytesMax: bytesMax, bodyBytesKept: settings.bodyBytesKept)
            requests.append(request)
        }
        request.start(streamID: streamID)
        lastStreamID = max(lastStreamID, streamID)
        requestCount += 1
        receiving = request
        return request
    }

    func received(_ bytes: UnsafeRawBufferPointer, on request: ServerRequest) {
        unsafe request.addBody(bytes)
        guard request.bodyCount >= settings.bodyBytesMax, !request.isCut else { return }
        request.isCut = true
        completed(request)
    }

    func completed(_ request: ServerRequest) {
        guard !request.isQueued, !request.isHeld, !request.isAnswered, !request.isClosed else { return }
        request.isQueued = true
        ready.append(request)
    }

    func closed(_ request: ServerRequest) {
        request.isClosed = true
        if receiving === request { receiving = nil }
        if !request.isQueued, !request.isHeld { recycle(request) }
    }

    private func recycle(_ request: ServerRequest) {
        request.streamID = 0
        free.append(request)
    }
}
