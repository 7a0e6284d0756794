/// The fields of one push record, lent from the Kafka message that holds them.
///
/// A record has them either in the one header `push`, as lines `name: value`, or as Kafka headers of their own; what
/// comes later wins. Unknown names are ignored, an empty value counts as absent. Nothing is copied: the message must
/// outlive the fields. Made once and used again for every record.
@safe
public struct PushRecord: ~Copyable {
    /// In memory of its own: an inline array would be copied whole for each field that is read.
    private let values: UnsafeMutablePointer<UnsafeRawBufferPointer>
    private var present: UInt32 = 0

    /// Makes a record without fields.
    public init() {
        unsafe values = .allocate(capacity: PushField.allCases.count)
        unsafe values.initialize(
            repeating: UnsafeRawBufferPointer(start: nil, count: 0),
            count: PushField.allCases.count
        )
    }

    deinit { unsafe values.deallocate() }

    /// Forgets all fields.
    @inline(__always)
    public mutating func removeAll() { present = 0 }

    /// Takes the lines of the header `push`.
    ///
    /// - Parameter block: Lines `name: value`, each ended by a newline (the last one may lack it).
    public mutating func decode(_ block: UnsafeRawBufferPointer) {
        var start = 0
        while start < block.count {
            let end = unsafe block.firstIndex(of: UInt8(ascii: "\n"), in: start, block.count)
            let line = unsafe block.part(start, end)
            start = end &+ 1
            let colon = unsafe line.firstIndex(of: UInt8(ascii: ":"), in: 0, line.count)
            guard colon < line.count, let field = unsafe PushField.named(line.part(0, colon)) else { continue }
            var first = colon &+ 1
            var last = line.count
            if unsafe first < last && line[first] == UInt8(ascii: " ") { first &+= 1 }
            if unsafe first < last && line[last &- 1] == UInt8(ascii: "\r") { last &-= 1 }
            unsafe set(field, line.part(first, last))
        }
    }

    /// Takes one Kafka header; `push` is decoded as a block.
    ///
    /// - Parameters:
    ///   - name: The header's name.
    ///   - value: Its value; nil counts as absent.
    @inline(__always)
    public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) {
        guard let value = unsafe value else { return }
        if unsafe name.equals("push") { return unsafe decode(value) }
        if let field = unsafe PushField.named(name) { unsafe set(field, value) }
    }

    /// Sets a field.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: Its value; empty counts as absent.
    @inline(__always)
    public mutating func set(_ field: PushField, _ value: UnsafeRawBufferPointer) {
        unsafe values[Int(field.rawValue)] = value
        let bit = UInt32(1) << UInt32(field.rawValue)
        present = value.count == 0 ? present & ~bit : present | bit
    }

    /// Whether a field is there and not empty.
    @inline(__always)
    public func has(_ field: PushField) -> Bool { present & (UInt32(1) << UInt32(field.rawValue)) != 0 }

    /// The bytes of a field, empty when it is absent; valid as long as the message.
    public subscript(_ field: PushField) -> UnsafeRawBufferPointer {
        @inline(__always)
        get {
            unsafe has(field) ? values[Int(field.rawValue)] : UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// Reads a field as a whole number.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - absent: What an absent field means.
    /// - Returns: The number; nil when the field is malformed.
    public func integer(_ field: PushField, absent: Int64) -> Int64? {
        has(field) ? unsafe self[field].decimal() : absent
    }

    /// Copies the values of the fields that are present, one after the other, for a push that must wait.
    ///
    /// Values and no lines: a Kafka header may hold a newline, and would come back as a field that nobody has checked.
    ///
    /// - Parameter buffer: Where to.
    public func copyValues(to buffer: inout ByteBuffer) {
        for index in 0..<PushField.count where present & (1 << UInt32(index)) != 0 {
            unsafe buffer.append(values[index])
        }
    }

    /// Lends the values from their copy, from now on.
    ///
    /// - Parameter bytes: What ``copyValues(to:)`` wrote for these fields; they must outlive them.
    public mutating func moveValues(to bytes: UnsafeRawBufferPointer) {
        var start = 0
        for index in 0..<PushField.count where present & (1 << UInt32(index)) != 0 {
            let end = unsafe start &+ values[index].count
            unsafe values[index] = bytes.part(start, end)
            start = end
        }
    }
}
