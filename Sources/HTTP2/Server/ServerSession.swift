internal import CNghttp2

/// Makes nghttp2's session for a connection, which outlives it.
///
/// - Parameter owner: Gets the events; not retained, since it deletes the session at its end.
/// - Returns: The session, owned by the caller, or nil where memory is short.
func makeServerSession(owner: ServerConnection) -> OpaquePointer? {
    var callbacks: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    defer { unsafe nghttp2_session_callbacks_del(callbacks) }
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrameReceived)
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClosed)
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)
    var options: OpaquePointer?
    guard unsafe nghttp2_option_new(&options) == 0 else { return nil }
    defer { unsafe nghttp2_option_del(options) }
    // Closed streams are kept only for priorities, which APNs ignores.
    unsafe nghttp2_option_set_no_closed_streams(options, 1)
    var session: OpaquePointer?
    let user = unsafe Unmanaged.passUnretained(owner).toOpaque()
    guard unsafe nghttp2_session_server_new2(&session, callbacks, user, options) == 0 else { return nil }
    return unsafe session
}

private typealias Frame = UnsafePointer<nghttp2_frame>

/// The header that all frames begin with.
private func header(_ frame: Frame) -> nghttp2_frame_hd {
    unsafe UnsafeRawPointer(frame).load(as: nghttp2_frame_hd.self)
}

private func connection(_ user: UnsafeMutableRawPointer) -> Unmanaged<ServerConnection> {
    unsafe Unmanaged<ServerConnection>.fromOpaque(user)
}

/// The request of a stream; nil for a stream that was refused before it became one.
private func request(_ session: OpaquePointer?, _ streamID: Int32) -> ServerRequest? {
    guard let user = unsafe nghttp2_session_get_stream_user_data(session, streamID) else { return nil }
    return unsafe Unmanaged<ServerRequest>.fromOpaque(user).takeUnretainedValue()
}

private func onBeginHeaders(_ session: OpaquePointer?, _ frame: Frame?, _ user: UnsafeMutableRawPointer?) -> Int32 {
    guard let frame = unsafe frame, let user = unsafe user else { return 0 }
    let connection = unsafe connection(user).takeUnretainedValue()
    let header = unsafe header(frame)
    // Trailers carry nothing that matters here.
    guard UInt32(header.type) == NGHTTP2_HEADERS.rawValue,
        unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
    else {
        connection.receiving = nil
        return 0
    }
    let request = connection.began(streamID: header.stream_id)
    let opaque = unsafe Unmanaged.passUnretained(request).toOpaque()
    // Fails only for a stream that does not exist.
    _ = unsafe nghttp2_session_set_stream_user_data(session, header.stream_id, opaque)
    return 0
}

private func onHeader(
    _ session: OpaquePointer?,
    _ frame: Frame?,
    _ name: UnsafePointer<UInt8>?,
    _ nameCount: Int,
    _ value: UnsafePointer<UInt8>?,
    _ valueCount: Int,
    _ flags: UInt8,
    _ user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let user = unsafe user else { return 0 }
    unsafe connection(user)._withUnsafeGuaranteedRef { connection in
        unsafe connection.receiving?.addField(
            UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: valueCount)
        )
    }
    return 0
}

private func onFrameReceived(_ session: OpaquePointer?, _ frame: Frame?, _ user: UnsafeMutableRawPointer?) -> Int32 {
    guard let frame = unsafe frame, let user = unsafe user else { return 0 }
    let header = unsafe header(frame)
    let kind = UInt32(header.type)
    guard kind == NGHTTP2_HEADERS.rawValue || kind == NGHTTP2_DATA.rawValue else { return 0 }
    unsafe connection(user)._withUnsafeGuaranteedRef { connection in
        if kind == NGHTTP2_HEADERS.rawValue, let request = connection.receiving {
            request.finishHead()
            connection.receiving = nil
            if UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 { connection.completed(request) }
        } else if UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0,
            let request = unsafe request(session, header.stream_id)
        {
            connection.completed(request)
        }
    }
    return 0
}

private func onData(
    _ session: OpaquePointer?,
    _ flags: UInt8,
    _ streamID: Int32,
    _ bytes: UnsafePointer<UInt8>?,
    _ count: Int,
    _ user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let user = unsafe user, let request = unsafe request(session, streamID) else { return 0 }
    unsafe connection(user)._withUnsafeGuaranteedRef { connection in
        unsafe connection.received(UnsafeRawBufferPointer(start: bytes, count: count), on: request)
    }
    return 0
}

private func onStreamClosed(
    _ session: OpaquePointer?,
    _ streamID: Int32,
    _ code: UInt32,
    _ user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let user = unsafe user, let request = unsafe request(session, streamID) else { return 0 }
    unsafe connection(user)._withUnsafeGuaranteedRef { connection in connection.closed(request) }
    return 0
}

/// After the answer to a body that was cut off, tells the peer to send no more of it (RFC 9113 8.1).
private func onFrameSent(_ session: OpaquePointer?, _ frame: Frame?, _ user: UnsafeMutableRawPointer?) -> Int32 {
    guard let frame = unsafe frame, let user = unsafe user else { return 0 }
    let header = unsafe header(frame)
    guard UInt32(header.type) == NGHTTP2_DATA.rawValue,
        UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0,
        let request = unsafe request(session, header.stream_id), request.isCut
    else { return 0 }
    unsafe connection(user)._withUnsafeGuaranteedRef { connection in
        connection.resetStream(header.stream_id, .noError)
    }
    return 0
}

func readAnswerBody(
    _ session: OpaquePointer?,
    _ streamID: Int32,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ bufferCount: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ user: UnsafeMutableRawPointer?
) -> Int {
    guard let opaque = unsafe source?.pointee.ptr, let flags = unsafe flags else {
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let request = unsafe Unmanaged<ServerRequest>.fromOpaque(opaque).takeUnretainedValue()
    let part = unsafe request.copyAnswerBody(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: bufferCount)
    )
    if part.isLast { unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return part.count
}
