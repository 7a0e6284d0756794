/// What a server session announces and what it bears.
public struct ServerSettings: Sendable {
    /// SETTINGS_MAX_CONCURRENT_STREAMS of the first SETTINGS frame.
    public var maxConcurrentStreams: UInt32
    /// SETTINGS_INITIAL_WINDOW_SIZE in bytes.
    public var initialWindowBytes: UInt32
    /// SETTINGS_HEADER_TABLE_SIZE in bytes.
    public var headerTableBytes: UInt32
    /// SETTINGS_MAX_FRAME_SIZE in bytes.
    public var frameBytesMax: UInt32
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes; a request above it is reset with ENHANCE_YOUR_CALM.
    public var headerListBytesMax: UInt32
    /// How much of a body is kept; the rest is counted only.
    public var bodyBytesKept: Int
    /// A body that reaches this size is handed out before its end, to be answered and cut off.
    public var bodyBytesMax: Int
    /// How many frames may wait to be sent before nothing more is read from this peer.
    public var outboundFramesMax: Int

    /// Makes settings; the defaults are those seen from APNs, and bounds that no provider comes near.
    ///
    /// - Parameters:
    ///   - maxConcurrentStreams: How many requests may be open at once.
    ///   - initialWindowBytes: Flow control window of a stream.
    public init(maxConcurrentStreams: UInt32 = 1000, initialWindowBytes: UInt32 = 65_535) {
        self.maxConcurrentStreams = maxConcurrentStreams
        self.initialWindowBytes = initialWindowBytes
        self.headerTableBytes = 4096
        self.frameBytesMax = 16_384
        self.headerListBytesMax = 8000
        self.bodyBytesKept = 8192
        self.bodyBytesMax = 65_536
        self.outboundFramesMax = 10_000
    }
}

/// Error codes of HTTP/2 (RFC 9113 section 7) that a server has a use for.
public enum HTTP2ErrorCode: UInt32, Sendable {
    case noError = 0
    case protocolError = 1
    case internalError = 2
    case refusedStream = 7
    case cancel = 8
    case enhanceYourCalm = 11
}
