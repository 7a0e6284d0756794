/// The Kafka headers of an event that mean something here, lent from its message; of several of one name the last.
@safe
public struct EventHeaders: ~Copyable {
    /// The headers that are kept.
    enum Name: Int, CaseIterable {
        case contentType, specVersion, type, id, source, time, cloudTrace, trace

        /// The header's name, in Kafka's binding of CloudEvents.
        var text: StaticString {
            switch self {
            case .contentType: "content-type"
            case .specVersion: "ce_specversion"
            case .type: "ce_type"
            case .id: "ce_id"
            case .source: "ce_source"
            case .time: "ce_time"
            case .cloudTrace: "ce_traceparent"
            case .trace: "traceparent"
            }
        }
    }

    private var values: InlineArray<8, UnsafeRawBufferPointer?> = unsafe InlineArray(repeating: nil)

    /// Makes headers of nothing.
    public init() {}

    /// Forgets all headers.
    public mutating func removeAll() {
        for index in 0..<8 { unsafe values[index] = nil }
    }

    /// Takes one header.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value; nil counts as absent.
    public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) {
        guard let value = unsafe value else { return }
        let known: Name? =
            switch name.count {
            case 5: .id
            case 7: unsafe name[3] == UInt8(ascii: "t") && name[4] == UInt8(ascii: "y") ? .type : .time
            case 9: .source
            case 11: .trace
            case 12: .contentType
            case 14: unsafe name[3] == UInt8(ascii: "s") ? .specVersion : .cloudTrace
            default: nil
            }
        if let known, unsafe name.equals(known.text) { unsafe values[known.rawValue] = value }
    }

    /// The bytes of a header; nil when it is absent.
    subscript(_ name: Name) -> UnsafeRawBufferPointer? { unsafe values[name.rawValue] }
}
