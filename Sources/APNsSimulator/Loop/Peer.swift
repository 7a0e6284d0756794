internal import HTTP2

/// One connection and what the simulator knows of it; confined to the loop.
final class Peer {
    let connection: ServerConnection
    /// Counted from 1, for the log.
    let number: Int
    /// Its place in the table, with the generation of the place: the poller's tag.
    let tag: UInt64
    let acceptedMillis: Int64

    var tokens = ConnectionTokens()
    /// The last limit of streams that was announced.
    var streamLimit: UInt32
    var windowBytes: UInt32
    /// Whether the limit was lifted for its first good token.
    var hasBeenTrusted = false
    /// Set once `apns-id` stands in the compression table, so that later ids use its name.
    var hasSentID = false
    /// Streams above it are gone, by a GOAWAY.
    var lastAnswerable = Int32.max
    /// The highest stream that was answered: no GOAWAY may name a lower one.
    var highestAnswered: Int32 = 0
    /// Whether it stands in the list of those to be flushed.
    var isDirty = false
    /// Whether the poller waits for room to write.
    var watchesWritable = false
    /// When the connection is to be dropped if its peer does not end it.
    var deadlineMillis: Int64?

    init(_ connection: ServerConnection, number: Int, tag: UInt64, settings: ServerSettings, nowMillis: Int64) {
        self.connection = connection
        self.number = number
        self.tag = tag
        self.acceptedMillis = nowMillis
        self.streamLimit = settings.maxConcurrentStreams
        self.windowBytes = settings.initialWindowBytes
    }
}
