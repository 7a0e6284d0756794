/// How long Kafka takes to acknowledge a receipt, measured on one at a time.
///
/// Measuring each would need a time beside each; this needs a comparison.
struct ReceiptProbe {
    private var origin: UInt64 = 0
    private var sinceMillis: Int64 = -1

    /// A record was handed to the producer; it is watched if no other is.
    @inline(__always)
    mutating func handedOver(_ origin: UInt64, nowMillis: Int64) {
        guard sinceMillis < 0 else { return }
        self.origin = origin
        sinceMillis = nowMillis
    }

    /// A record was acknowledged.
    ///
    /// - Returns: How long it took, in milliseconds, if it is the one that is watched.
    @inline(__always)
    mutating func acknowledged(_ origin: UInt64, nowMillis: Int64) -> Int64? {
        guard sinceMillis >= 0, origin == self.origin else { return nil }
        defer { sinceMillis = -1 }
        return nowMillis - sinceMillis
    }
}
