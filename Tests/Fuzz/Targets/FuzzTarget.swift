/// The parsers of what others write, each as something that takes any bytes.
///
/// A target traps when what it found out is not sound; what it does with the bytes otherwise says nothing.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// A record of the topics of events, as lines: the kind of topic, headers, an empty line, the value.
    case event

    /// A file for `publish` and `validate`.
    case plan

    /// The block of a push record.
    case push

    /// A receipt.
    case receipt

    /// A configuration file.
    case configuration

    /// The body of an answer of APNs.
    case answer

    /// A provider token, as it is or as lines that are encoded first: header, claims.
    case token

    /// A key in PEM.
    case key

    /// Gives bytes to the parser.
    ///
    /// - Parameter input: Any bytes.
    public func run(_ input: UnsafeRawBufferPointer) {
        switch self {
        case .event: Self.runEvent(input)
        case .plan: Self.runPlan(input)
        case .push: Self.runPush(input)
        case .receipt: Self.runReceipt(input)
        case .configuration: Self.runConfiguration(input)
        case .answer: Self.runAnswer(input)
        case .token: Self.runToken(input)
        case .key: Self.runKey(input)
        }
    }
}

/// The lines of an input.
struct InputLines {
    private let input: UnsafeRawBufferPointer
    private var start = 0

    init(_ input: UnsafeRawBufferPointer) { self.input = input }

    /// What has not been read.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: input[start...]) }

    /// The next line without its end; empty after the last.
    mutating func next() -> UnsafeRawBufferPointer {
        let end = input[start...].firstIndex(of: UInt8(ascii: "\n")) ?? input.count
        defer { start = min(end + 1, input.count) }
        return UnsafeRawBufferPointer(rebasing: input[start..<end])
    }
}
