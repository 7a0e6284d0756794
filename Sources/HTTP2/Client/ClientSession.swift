internal import CNghttp2

/// The HTTP/2 side of a client connection, over nghttp2 and without a socket: bytes go in, bytes and events come out.
///
/// Confined to one thread. See <https://nghttp2.org/documentation/>.
@safe
final class ClientSession {
    /// What we tell peers about responses: they are small, and nothing is pushed to us.
    private static let receiveWindowBytes: Int32 = 1 << 20
    private static let unlimitedStreams: UInt32 = 0x7FFF_FFFF
    private static let goAwayBytesMax = 1_024
    /// Frame header, last stream and error code of a GOAWAY.
    private static let goAwayHeadBytes = 17
    /// The largest frame that we send: nghttp2 splits at 16 KiB whatever the peer allows.
    static let frameBytesMax = 16_384 + 9

    /// Nil only where there was no memory for one; the session is closed then.
    private let session: OpaquePointer?
    private(set) var streams = StreamTable()
    private var events = EventQueue()
    /// The slot whose response the caller may be reading.
    private var currentSlot: Int32 = -1
    /// Bodies of requests that are not sent in full.
    private var unsentBodies = 0
    /// The newest stream whose request has left nghttp2.
    private var pulledStreamID: Int32 = 0
    /// The peer's MAX_CONCURRENT_STREAMS; 1 before its first SETTINGS.
    private(set) var streamLimit = 1
    private(set) var hasGoAway = false
    private(set) var goAwayData: [UInt8] = []
    private var goAwayCode: UInt32 = 0
    private var goAwayStreamID: Int32 = 0
    private var saysStreamLimit = false
    private var saysGoAway = false
    private(set) var isClosed = false
    private var closeReason = CloseReason.ended
    /// What nghttp2 tells a peer that has broken the protocol.
    private var complaint: String?

    /// Starts a session; its first bytes are the preface and our SETTINGS.
    ///
    /// - Parameter firstStreamID: Odd; not 1 only in tests of the end of the stream ids.
    init(firstStreamID: Int32 = 1) {
        unsafe session = SessionCallbacks.makeSession()
        guard let session = unsafe session else {
            close(.failed("no memory for an HTTP/2 session"))
            return
        }
        // Not retained: the session is deleted in deinit, and calls back only inside calls of ours.
        unsafe nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        var settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: UInt32(Self.receiveWindowBytes)
            ),
        ]
        let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        // These fail only without memory, and then the first write fails.
        _ = unsafe nghttp2_submit_settings(session, none, &settings, settings.count)
        _ = unsafe nghttp2_session_set_local_window_size(session, none, 0, Self.receiveWindowBytes)
        if firstStreamID > 1 { _ = unsafe nghttp2_session_set_next_stream_id(session, firstStreamID) }
    }

    deinit { unsafe nghttp2_session_del(session) }

    /// A request may be submitted now.
    var isAccepting: Bool {
        guard !hasGoAway, !isClosed, streams.openCount < streamLimit else { return false }
        return unsafe nghttp2_session_check_request_allowed(session) != 0
    }

    /// Opens a request.
    ///
    /// - Parameters:
    ///   - headers: All of them; values that are not copied must outlive the request.
    ///   - body: Not copied, so it must outlive the request.
    ///   - tag: Comes back with its final event.
    ///   - deadlineMillis: Not before that of any open request.
    /// - Returns: False when nothing may be submitted.
    func submit(
        _ headers: borrowing RequestHeaders,
        body: UnsafeRawBufferPointer,
        tag: UInt32,
        deadlineMillis: Int64
    ) -> Bool {
        guard isAccepting else { return false }
        let slot = unsafe streams.open(tag: tag, body: body, deadlineMillis: deadlineMillis)
        // The slot travels as the stream's user data, one higher: NULL is nobody's.
        let user = unsafe UnsafeMutableRawPointer(bitPattern: Int(slot) + 1)
        let hasBody = unsafe !body.isEmpty
        var provider = unsafe SessionCallbacks.bodyProvider(slot)
        let id = unsafe withUnsafePointer(to: &provider) { provider in
            unsafe nghttp2_submit_request(
                session,
                nil,
                headers.pointer,
                headers.count,
                hasBody ? provider : nil,
                user
            )
        }
        guard id > 0 else {
            streams.close(slot)
            streams.release(slot)
            return false
        }
        if hasBody { unsentBodies &+= 1 }
        streams[slot].streamID = id
        return true
    }

    /// Takes in what the peer sent.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        guard !isClosed else { return }
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let taken = unsafe nghttp2_session_mem_recv(session, start, bytes.count)
        if taken < 0 { close(protocolError(taken)) }
    }

    /// Fills a buffer with whole frames.
    ///
    /// - Parameters:
    ///   - buffer: What is filled.
    ///   - target: Enough to stop at; the buffer must hold ``frameBytesMax`` more.
    /// - Returns: How many bytes it holds now.
    func pull(into buffer: UnsafeMutableRawBufferPointer, target: Int) -> Int {
        guard !isClosed, let start = buffer.baseAddress else { return 0 }
        var filled = 0
        while filled < target, buffer.count &- filled >= Self.frameBytesMax {
            var data: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &data)
            guard count > 0, let data = unsafe data else {
                if count < 0 { close(protocolError(count)) }
                break
            }
            unsafe (start + filled).copyMemory(from: data, byteCount: count)
            unsafe notePulled(start + filled, count)
            filled &+= count
        }
        return filled
    }

    /// Notes the stream of a frame that opens one, and that nghttp2 gives the connection up.
    private func notePulled(_ frame: UnsafeRawPointer, _ count: Int) {
        let type = unsafe frame.load(fromByteOffset: 3, as: UInt8.self)
        if type == UInt8(NGHTTP2_HEADERS.rawValue) {
            let id = unsafe UInt32(bigEndian: frame.loadUnaligned(fromByteOffset: 5, as: UInt32.self))
            pulledStreamID = max(pulledStreamID, Int32(truncatingIfNeeded: id & 0x7FFF_FFFF))
        } else if type == UInt8(NGHTTP2_GOAWAY.rawValue), count >= Self.goAwayHeadBytes {
            let code = unsafe UInt32(bigEndian: frame.loadUnaligned(fromByteOffset: 13, as: UInt32.self))
            let words = unsafe UnsafeRawBufferPointer(start: frame, count: count).dropFirst(Self.goAwayHeadBytes)
            complaint = unsafe "error \(code) \(String(decoding: words, as: UTF8.self))"
        }
    }

    /// Ends the session when neither side has anything more to say.
    func closeIfOver() {
        guard !isClosed, unsafe nghttp2_session_want_read(session) == 0, unsafe nghttp2_session_want_write(session) == 0
        else { return }
        close(complaint.map { .protocolError($0) } ?? .goAway)
    }

    private func protocolError(_ code: Int) -> CloseReason {
        unsafe .protocolError(String(cString: nghttp2_strerror(Int32(truncatingIfNeeded: code))))
    }

    /// Asks the peer whether it lives.
    func ping() {
        // Refused only without memory.
        _ = unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    // MARK: - Ends of requests

    /// Resets the requests whose time is over.
    func expire(nowMillis: Int64) {
        while streams.oldest >= 0, streams[streams.oldest].deadlineMillis <= nowMillis {
            reset(streams.oldest, .deadline)
        }
    }

    /// When the oldest request's time is over; `Int64.max` without one.
    var deadlineMillis: Int64 { streams.oldest < 0 ? .max : streams[streams.oldest].deadlineMillis }

    /// Resets every open request.
    func cancelAll() {
        while streams.oldest >= 0 { reset(streams.oldest, .cancelled) }
    }

    /// Ends the session: open requests are lost.
    func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        isClosed = true
        closeReason = reason
        while streams.oldest >= 0 { end(streams.oldest, .connectionLost) }
        events.append(EventQueue.Entry(kind: .closed, slot: -1))
    }

    /// Resets one request; what it says to the peer goes out with the next write.
    private func reset(_ slot: Int32, _ kind: EventQueue.Entry.Kind) {
        let id = streams[slot].streamID
        // Detached first, so that nothing reads the body or reports the stream again. Both fail only without memory, or
        // for a stream that is gone.
        _ = unsafe nghttp2_session_set_stream_user_data(session, id, nil)
        _ = unsafe nghttp2_submit_rst_stream(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            id,
            UInt32(NGHTTP2_CANCEL.rawValue)
        )
        end(slot, kind)
    }

    /// Ends a request without a full answer: a good status settles it all the same, and what never left is refused.
    private func end(_ slot: Int32, _ kind: EventQueue.Entry.Kind, code: UInt32 = 0) {
        let status = streams[slot].status
        if status >= 200 && status < 300 {
            finish(slot, .response)
        } else if streams[slot].streamID > pulledStreamID {
            finish(slot, .refused)
        } else {
            finish(slot, kind, code: code)
        }
    }

    private func finish(_ slot: Int32, _ kind: EventQueue.Entry.Kind, code: UInt32 = 0) {
        if !streams[slot].isBodySent { unsentBodies &-= 1 }
        streams.close(slot)
        events.append(EventQueue.Entry(kind: kind, slot: slot, code: code))
    }

    /// Takes requests back that have not left nghttp2, the newest first, down to a number of open ones.
    private func takeBackUnsent(above count: Int) {
        while streams.openCount > count, streams.newest >= 0, streams[streams.newest].streamID > pulledStreamID {
            reset(streams.newest, .refused)
        }
    }

    // MARK: - Events

    /// Takes the next event.
    func nextEvent() -> ConnectionEvent? {
        if currentSlot >= 0 {
            streams.release(currentSlot)
            currentSlot = -1
        }
        guard let entry = events.removeFirst() else { return nil }
        currentSlot = entry.slot
        guard entry.slot >= 0 else { return connectionEvent(entry.kind) }
        let tag = streams[entry.slot].tag
        switch entry.kind {
        case .response:
            return .response(
                tag: tag,
                status: streams[entry.slot].status,
                retryAfterSeconds: streams[entry.slot].retryAfterSeconds
            )
        case .refused: return .refused(tag: tag)
        case .reset: return .lost(tag: tag, .reset(entry.code))
        case .deadline: return .lost(tag: tag, .deadline)
        case .cancelled: return .lost(tag: tag, .cancelled)
        case .connectionLost, .streamLimit, .goAway, .closed: return .lost(tag: tag, .closed)
        }
    }

    private func connectionEvent(_ kind: EventQueue.Entry.Kind) -> ConnectionEvent {
        switch kind {
        case .streamLimit:
            saysStreamLimit = false
            return .streamLimitChanged(streamLimit)
        case .goAway:
            saysGoAway = false
            return .goAway(lastStreamID: goAwayStreamID, errorCode: goAwayCode)
        default: return .closed(closeReason)
        }
    }

    /// The body of the response that ``nextEvent()`` gave last; valid until the next call of it.
    var responseBody: UnsafeRawBufferPointer {
        unsafe currentSlot < 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : streams.response(currentSlot)
    }

    // MARK: - What nghttp2 reports

    func received(status: UInt16, slot: Int32) {
        // One below 200 announces another; trailers have none.
        if streams[slot].status < 200 { streams[slot].status = status }
    }

    func received(retryAfterSeconds seconds: Int32, slot: Int32) { streams[slot].retryAfterSeconds = seconds }

    func received(body bytes: UnsafeRawBufferPointer, slot: Int32) { unsafe streams.appendResponse(slot, bytes) }

    /// The peer has finished its answer: a request that is not sent in full needs no more of it.
    func receivedEnd(streamID: Int32) {
        guard unsentBodies > 0, let slot = unsafe SessionCallbacks.slot(session, streamID) else { return }
        if !streams[slot].isBodySent, streams[slot].status >= 200 { reset(slot, .response) }
    }

    /// Lends the next part of a request's body.
    ///
    /// - Returns: How many bytes were copied, and whether they were the last; nil for a request that has ended.
    func readBody(
        _ slot: Int32,
        streamID: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isLast: Bool)? {
        guard streams[slot].streamID == streamID else { return nil }
        let body = unsafe streams[slot].body
        let offset = streams[slot].bodyOffset
        let count = min(buffer.count, body.count &- offset)
        if count > 0, let source = body.baseAddress {
            unsafe buffer.baseAddress?.copyMemory(from: source + offset, byteCount: count)
        }
        streams[slot].bodyOffset = offset &+ count
        let isLast = offset &+ count == body.count
        if isLast { unsentBodies &-= 1 }
        return (count, isLast)
    }

    func closed(_ slot: Int32, errorCode: UInt32) {
        // Both sides have finished, or the peer wants no more of a request that it has answered.
        if errorCode == UInt32(NGHTTP2_NO_ERROR.rawValue), streams[slot].status >= 200 {
            finish(slot, .response)
        } else if errorCode == UInt32(NGHTTP2_REFUSED_STREAM.rawValue) {
            finish(slot, .refused)
        } else {
            end(slot, .reset, code: errorCode)
        }
    }

    func receivedSettings() {
        let limit = unsafe nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        let value = Int(min(limit, Self.unlimitedStreams))
        guard value != streamLimit else { return }
        streamLimit = value
        takeBackUnsent(above: value)
        if !saysStreamLimit { events.append(EventQueue.Entry(kind: .streamLimit, slot: -1)) }
        saysStreamLimit = true
    }

    func receivedGoAway(lastStreamID: Int32, errorCode: UInt32, data: UnsafeRawBufferPointer) {
        hasGoAway = true
        goAwayStreamID = lastStreamID
        goAwayCode = errorCode
        unsafe goAwayData = Array(data.prefix(Self.goAwayBytesMax))
        if !saysGoAway { events.append(EventQueue.Entry(kind: .goAway, slot: -1)) }
        saysGoAway = true
        takeBackUnsent(above: 0)
    }
}
