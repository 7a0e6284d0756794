/// Something that happened on a connection, to be polled after reading, writing and ticking.
///
/// Each request ends in exactly one of `response`, `refused` and `lost`; `closed` comes last.
public enum ConnectionEvent: Equatable, Sendable {
    /// The peer has answered. The body stands in ``ClientConnection/responseBody`` until the next event is taken.
    ///
    /// `retryAfterSeconds` is -1 when the header is absent or no number of seconds.
    case response(tag: UInt32, status: UInt16, retryAfterSeconds: Int32)
    /// The peer has not processed the request, or never got it: it may be sent again at no risk.
    case refused(tag: UInt32)
    /// Nobody knows whether the peer has processed the request.
    case lost(tag: UInt32, LossReason)
    /// The peer allows another number of streams.
    case streamLimitChanged(Int)
    /// The peer takes no new streams. Its words stand in ``ClientConnection/goAwayData``.
    case goAway(lastStreamID: Int32, errorCode: UInt32)
    /// The connection is gone.
    case closed(CloseReason)
}

/// Why the outcome of a request is unknown.
public enum LossReason: Equatable, Sendable {
    /// The peer reset the stream before it had answered in full, with this HTTP/2 error code.
    case reset(UInt32)
    /// No answer came in time.
    case deadline
    /// We reset the stream.
    case cancelled
    /// The connection went away.
    case closed
}

/// Why a connection is gone.
public enum CloseReason: Equatable, Sendable {
    /// The peer closed it.
    case ended
    /// The peer had said GOAWAY, and the last of the open requests has ended.
    case goAway
    /// Reading or writing failed.
    case failed(String)
    /// The peer broke the protocol; nghttp2's words.
    case protocolError(String)
    /// The peer did not answer a PING in time.
    case silent
}
