internal import CNghttp2

/// What connects nghttp2's callbacks with a ``ClientSession``.
enum SessionCallbacks {
    /// Makes a client session that reports to the ``ClientSession`` in its user data.
    ///
    /// - Returns: Nil only without memory.
    static func makeSession() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0, unsafe nghttp2_option_new(&options) == 0 else {
            unsafe nghttp2_session_callbacks_del(callbacks)
            return nil
        }
        defer {
            unsafe nghttp2_session_callbacks_del(callbacks)
            unsafe nghttp2_option_del(options)
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onDataChunk)
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
        unsafe nghttp2_option_set_peer_max_concurrent_streams(options, 1)
        unsafe nghttp2_option_set_no_closed_streams(options, 1)
        var session: OpaquePointer?
        guard unsafe nghttp2_session_client_new2(&session, callbacks, nil, options) == 0 else { return nil }
        return unsafe session
    }

    /// What reads the body of a request.
    static func bodyProvider(_ slot: Int32) -> nghttp2_data_provider {
        unsafe nghttp2_data_provider(source: nghttp2_data_source(fd: slot), read_callback: onReadBody)
    }

    /// The slot of a stream; nil when it is detached or none of ours.
    static func slot(_ session: OpaquePointer?, _ streamID: Int32) -> Int32? {
        guard let pointer = unsafe nghttp2_session_get_stream_user_data(session, streamID) else { return nil }
        return Int32(truncatingIfNeeded: Int(bitPattern: pointer) &- 1)
    }
}

/// The session of a callback's user pointer, which it outlives.
private func owner(_ user: UnsafeMutableRawPointer?) -> Unmanaged<ClientSession>? {
    guard let user = unsafe user else { return nil }
    return unsafe Unmanaged.fromOpaque(user)
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
    // Two headers matter; the slot of a stream is not looked up for others.
    let field = unsafe ResponseField(
        name: UnsafeRawBufferPointer(start: name, count: nameCount),
        value: UnsafeRawBufferPointer(start: value, count: valueCount)
    )
    guard field != .other, let owner = unsafe owner(user), let frame = unsafe frame,
        let slot = unsafe SessionCallbacks.slot(session, frame.pointee.hd.stream_id)
    else { return 0 }
    unsafe owner._withUnsafeGuaranteedRef { client in
        switch field {
        case .status(let status): client.received(status: status, slot: slot)
        case .retryAfter(let seconds): client.received(retryAfterSeconds: seconds, slot: slot)
        case .other: break
        }
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
    guard let owner = unsafe owner(user), let slot = unsafe SessionCallbacks.slot(session, streamID) else { return 0 }
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
    let header = unsafe frame.pointee.hd
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
        if header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 {
            unsafe owner._withUnsafeGuaranteedRef { $0.receivedEnd(streamID: header.stream_id) }
        }
    case NGHTTP2_SETTINGS.rawValue:
        if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 {
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
    guard let owner = unsafe owner(user), let slot = unsafe SessionCallbacks.slot(session, streamID) else { return 0 }
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
    if part.isLast { unsafe flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
    return part.count
}
