/// Whether the lane may have been cut off from its group without noticing, as after SIGSTOP or in a frozen machine.
///
/// A lane that has not run for half the session timeout may have lost its partitions to another: it sends nothing until
/// the group has acknowledged a commit of it, or has given it partitions anew.
struct Suspension {
    private let limitMillis: Int64
    private var lastTurnMillis: Int64
    /// Nothing may be sent.
    private(set) var isActive = false

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - limitMillis: The longest pause between two turns that proves nothing.
    ///   - nowMillis: The time.
    init(limitMillis: Int64, nowMillis: Int64) {
        self.limitMillis = limitMillis
        lastTurnMillis = nowMillis
    }

    /// Notes a turn of the loop.
    ///
    /// - Returns: True when this turn comes so late that a commit must prove the membership.
    mutating func turned(nowMillis: Int64) -> Bool {
        defer { lastTurnMillis = nowMillis }
        guard nowMillis - lastTurnMillis >= limitMillis, !isActive else { return false }
        isActive = true
        return true
    }

    /// The group has answered a commit well, or has given or taken all partitions.
    mutating func proved() { isActive = false }
}
