/// What an input asks to publish: checked records, or what is wrong with it.
///
/// An input is one event, an array of events, or one event a line. All of it is checked before anything is sent, so
/// that a publisher sends all or nothing.
public struct PublishPlan: Sendable {
    /// The most bytes of an event's record, which its topic takes.
    public static let recordBytesMax = 4 << 20

    /// What a batch of one record adds to its key, value and headers, at most.
    static let batchBytes = 128

    /// The records in the order of the input; all of them only if there are no faults.
    public internal(set) var messages: [PublishMessage] = []

    /// What is wrong.
    public internal(set) var faults: [PublishRemark] = []

    /// What is allowed, but probably not meant.
    public internal(set) var warnings: [PublishRemark] = []

    /// Checks an input.
    ///
    /// - Parameters:
    ///   - input: The bytes of a file.
    ///   - kind: What it must be; nil to find out for each event, as `validate` does.
    ///   - apps: The configured apps; with none, events may name any.
    ///   - nowMillis: The wall clock, in milliseconds since 1970.
    public init(input: [UInt8], kind: PublishKind?, apps: [EventApp], nowMillis: Int64) {
        var planner = PublishPlanner(kind: kind, apps: apps, nowMillis: nowMillis)
        unsafe input.withUnsafeBytes { unsafe planner.read($0) }
        self = planner.finish()
    }

    init() {}
}
