internal import CNghttp2

/// The HTTP/2 side of a client connection, over nghttp2 and without a socket: bytes go in, bytes and events come out.
///
/// Confined to one thread. See <https://nghttp2.org/documentation/>.
@safe
final class ClientSession {
    /// What we tell peers about responses: they are small, and nothing is pushed to us.
    private static let receiveWindowBytes: UInt32 = 1 << 20
    private static let unlimitedStreams: UInt32 = 0x7FFF_FFFF

    private var session: OpaquePointer?
    private(set) var streams = StreamTable()
    private var events: [ConnectionEvent] = []
    private var eventSlots: [Int32] = []
    private var nextEventIndex = 0
    /// The slot whose response the caller may be reading.
    private var currentSlot: Int32 = -1
    /// The peer's MAX_CONCURRENT_STREAMS; 1 before its first SETTINGS.
    private(set) var streamLimit = 1
    private(set) var hasGoAway = false
    private(set) var goAwayData: [UInt8] = []
    private var isClosed = false

    /// Starts a session; its first bytes are the preface and our SETTINGS.
    init() {
        var callbacks: OpaquePointer?
        // Both fail only without memory; a session that is nil reports itself as closed.
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return }
        defer { unsafe nghttp2_session_callbacks_del(callbacks) }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onDataChunk)
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
        var created: OpaquePointer?
        // Not retained: the session is deleted in deinit, and calls back only inside calls of ours.
        let user = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard unsafe nghttp2_session_client_new(&created, callbacks, user) == 0 else { return }
        unsafe session = created
        var settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: Self.receiveWindowBytes
            ),
        ]
        // Refused only without memory, and then the first write fails.
        _ = unsafe nghttp2_submit_settings(created, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count)
    }

    deinit { unsafe nghttp2_session_del(session) }

    /// A request may be submitted now.
    var isAccepting: Bool {
        guard !hasGoAway, !isClosed, let session = unsafe session else { return false }
        return unsafe streams.openCount < streamLimit && nghttp2_session_check_request_allowed(session) != 0
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
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(fd: slot),
            read_callback: onReadBody
        )
        // The slot travels as the stream's user data, one higher: NULL is nobody's.
        let user = unsafe UnsafeMutableRawPointer(bitPattern: Int(slot) + 1)
        let id = unsafe nghttp2_submit_request(session, nil, headers.pointer, headers.count, &provider, user)
        guard id > 0 else {
            streams.close(slot)
            streams.release(slot)
            return false
        }
        streams[slot].streamID = id
        return true
    }

    /// Takes in what the peer sent.
    ///
    /// - Returns: nghttp2's words when the peer broke the protocol.
    func receive(_ bytes: UnsafeRawBufferPointer) -> String? {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let taken = unsafe nghttp2_session_mem_recv(session, start, bytes.count)
        return taken < 0 ? unsafe String(cString: nghttp2_strerror(Int32(taken))) : nil
    }

    /// Fills a buffer with whole frames.
    ///
    /// - Parameter buffer: Holds more than one frame of 16 KiB.
    /// - Returns: How many bytes it holds now; -1 when nghttp2 has failed.
    func pull(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let target = buffer.baseAddress else { return 0 }
        var filled = 0
        while buffer.count - filled > Self.frameBytesMax {
            var data: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &data)
            if count < 0 { return -1 }
            guard count > 0, let data = unsafe data else { break }
            unsafe (target + filled).copyMemory(from: data, byteCount: count)
            filled += count
        }
        return filled
    }

    /// The largest frame that we send: nghttp2 splits at 16 KiB whatever the peer allows.
    private static let frameBytesMax = 16_384 + 9

    /// Neither side has anything more to say.
    var isOver: Bool {
        guard let session = unsafe session else { return true }
        return unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Resets the requests whose time is over.
    func expire(nowMillis: Int64) {
        while streams.oldestSlot >= 0, streams[streams.oldestSlot].deadlineMillis <= nowMillis {
            reset(streams.oldestSlot, .deadline)
        }
    }

    /// When the oldest request's time is over; `Int64.max` without one.
    var deadlineMillis: Int64 {
        streams.oldestSlot < 0 ? .max : streams[streams.oldestSlot].deadlineMillis
    }

    /// Resets every open request.
    func cancelAll() {
        while streams.oldestSlot >= 0 { reset(streams.oldestSlot, .cancelled) }
    }

    /// Resets one request; what it says to the peer goes out with the next write.
    private func reset(_ slot: Int32, _ reason: LossReason) {
        let id = streams[slot].streamID
        // Detached first, so that nothing reads the body or reports the stream again.
        _ = unsafe nghttp2_session_set_stream_user_data(session, id, nil)
        // Refused only without memory, or for a stream that is gone already.
        _ = unsafe nghttp2_submit_rst_stream(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            id,
            UInt32(NGHTTP2_CANCEL.rawValue)
        )
        finish(slot, unsafe .lost(tag: streams[slot].tag, reason))
    }

    /// Asks the peer whether it lives.
    func ping() {
        // Refused only without memory.
        _ = unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Ends the session: open requests are lost.
    func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        isClosed = true
        while streams.oldestSlot >= 0 {
            finish(streams.oldestSlot, unsafe .lost(tag: streams[streams.oldestSlot].tag, .closed))
        }
        add(.closed(reason), slot: -1)
    }

    // MARK: - Events

    /// Takes the next event.
    func nextEvent() -> ConnectionEvent? {
        if currentSlot >= 0 {
            streams.release(currentSlot)
            currentSlot = -1
        }
        guard nextEventIndex < events.count else {
            if nextEventIndex > 0 {
                events.removeAll(keepingCapacity: true)
                eventSlots.removeAll(keepingCapacity: true)
                nextEventIndex = 0
            }
            return nil
        }
        defer { nextEventIndex += 1 }
        currentSlot = eventSlots[nextEventIndex]
        return events[nextEventIndex]
    }

    /// The body of the response that ``nextEvent()`` gave last.
    var responseBody: [UInt8] { currentSlot < 0 ? [] : streams.body(currentSlot) }

    private func add(_ event: ConnectionEvent, slot: Int32) {
        events.append(event)
        eventSlots.append(slot)
    }

    private func finish(_ slot: Int32, _ event: ConnectionEvent) {
        streams.close(slot)
        add(event, slot: slot)
    }

    // MARK: - What nghttp2 reports

    fileprivate func received(header name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, slot: Int32) {
        if unsafe name.count == 7 && name[0] == UInt8(ascii: ":") {
            // The only pseudo-header of a response; nghttp2 has checked that it is three digits.
            unsafe streams[slot].status = value.reduce(0) { $0 &* 10 &+ UInt16($1 &- 0x30) }
        } else if name.count == 11, unsafe name.elementsEqual("retry-after".utf8) {
            unsafe streams[slot].retryAfterSeconds = Int32(String(decoding: value, as: UTF8.self)) ?? -1
        }
    }

    fileprivate func received(body bytes: UnsafeRawBufferPointer, slot: Int32) {
        unsafe streams.appendBody(slot, bytes)
    }

    fileprivate func readBody(
        _ slot: Int32,
        streamID: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (Int, Bool)? {
        guard streams[slot].streamID == streamID else { return nil }
        let body = unsafe streams[slot].body
        let offset = streams[slot].bodyOffset
        let count = min(buffer.count, body.count - offset)
        if count > 0 { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[offset..<offset + count])) }
        streams[slot].bodyOffset = offset + count
        return (count, offset + count == body.count)
    }

    fileprivate func closed(_ slot: Int32, errorCode: UInt32) {
        let stream = streams[slot]
        let tag = stream.tag
        if stream.status >= 200 {
            unsafe finish(
                slot,
                .response(tag: tag, status: stream.status, retryAfterSeconds: stream.retryAfterSeconds)
            )
        } else if errorCode == UInt32(NGHTTP2_REFUSED_STREAM.rawValue) {
            finish(slot, .refused(tag: tag))
        } else {
            finish(slot, .lost(tag: tag, .reset(errorCode)))
        }
    }

    fileprivate func receivedSettings() {
        let limit = unsafe nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        let value = Int(min(limit, Self.unlimitedStreams))
        guard value != streamLimit else { return }
        streamLimit = value
        add(.streamLimitChanged(value), slot: -1)
    }

    fileprivate func receivedGoAway(lastStreamID: Int32, errorCode: UInt32, data: UnsafeRawBufferPointer) {
        hasGoAway = true
        unsafe goAwayData = Array(data.prefix(1_024))
        add(.goAway(lastStreamID: lastStreamID, errorCode: errorCode), slot: -1)
    }
}

// MARK: - Callbacks

/// The session of a callback's user pointer, which it outlives.
private func owner(_ user: UnsafeMutableRawPointer?) -> Unmanaged<ClientSession>? {
    guard let user = unsafe user else { return nil }
    return unsafe Unmanaged.fromOpaque(user)
}

/// The slot of a stream; nil when it is detached or none of ours.
private func slot(_ session: OpaquePointer?, _ streamID: Int32) -> Int32? {
    guard let pointer = unsafe nghttp2_session_get_stream_user_data(session, streamID) else { return nil }
    return Int32(truncatingIfNeeded: Int(bitPattern: pointer) - 1)
}

private func onHeader(
    _ session: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ name: UnsafePointer<UInt8>?,
    _ nameCount: Int,
    _ value: UnsafePointer<UInt8>?,
    _ valueCount: Int,
    _ flags: UInt8,
    _ user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let owner = unsafe owner(user), let frame = unsafe frame,
        let slot = unsafe slot(session, frame.pointee.hd.stream_id)
    else { return 0 }
    unsafe owner._withUnsafeGuaranteedRef { client in
        unsafe client.received(
            header: UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: valueCount),
            slot: slot
        )
    }
    return 0
}

private func onDataChunk(
    _ session: OpaquePointer?,
    _ flags: UInt8,
    _ streamID: Int32,
    _ bytes: UnsafePointer<UInt8>?,
    _ count: Int,
    _ user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let owner = unsafe owner(user), let slot = unsafe slot(session, streamID) else { return 0 }
    unsafe owner._withUnsafeGuaranteedRef { client in
        unsafe client.received(body: UnsafeRawBufferPointer(start: bytes, count: count), slot: slot)
    }
    return 0
}

private func onFrame(
    _ session: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let owner = unsafe owner(user), let frame = unsafe frame else { return 0 }
    switch unsafe UInt32(frame.pointee.hd.type) {
    case NGHTTP2_SETTINGS.rawValue:
        if unsafe frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 {
            unsafe owner._withUnsafeGuaranteedRef { $0.receivedSettings() }
        }
    case NGHTTP2_GOAWAY.rawValue:
        let goAway = unsafe frame.pointee.goaway
        unsafe owner._withUnsafeGuaranteedRef { client in
            unsafe client.receivedGoAway(
                lastStreamID: goAway.last_stream_id,
                errorCode: goAway.error_code,
                data: UnsafeRawBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len)
            )
        }
    default: break
    }
    return 0
}

private func onStreamClose(
    _ session: OpaquePointer?,
    _ streamID: Int32,
    _ errorCode: UInt32,
    _ user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let owner = unsafe owner(user), let slot = unsafe slot(session, streamID) else { return 0 }
    unsafe owner._withUnsafeGuaranteedRef { $0.closed(slot, errorCode: errorCode) }
    return 0
}

private func onReadBody(
    _ session: OpaquePointer?,
    _ streamID: Int32,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ count: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ user: UnsafeMutableRawPointer?
) -> Int {
    guard let owner = unsafe owner(user), let source = unsafe source,
        let part = unsafe owner._withUnsafeGuaranteedRef({ client in
            unsafe client.readBody(
                source.pointee.fd,
                streamID: streamID,
                into: UnsafeMutableRawBufferPointer(start: buffer, count: count)
            )
        })
    else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
    if part.1 { unsafe flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
    return part.0
}
