internal import CNghttp2
internal import Glibc

/// One request and its answer; confined to the thread of its connection.
///
/// The connection hands the object out by ``ServerConnection/nextRequest()`` and uses it again for another request once
/// this one is answered or reset, so nothing of it is allocated for each request.
@safe
public final class ServerRequest {
    /// Where one header field stands in ``bytes``.
    public struct Field: Sendable {
        var nameStart: UInt16 = 0
        var nameCount: UInt16 = 0
        var valueStart: UInt16 = 0
        var valueCount: UInt16 = 0

        /// The place of the name.
        public var name: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameCount) }
        /// The place of the value.
        public var value: Range<Int> { Int(valueStart)..<Int(valueStart) + Int(valueCount) }
    }

    /// How the answer's field is to be written.
    public enum Indexing: Sendable {
        /// Kept in the compression table; for values that come again.
        case indexed
        /// Not kept, and no proxy may keep it.
        case never
    }

    static let fieldCountMax = 64
    static let answerFieldCountMax = 8
    /// Answers append their values behind the header fields, which stay far below 65,536 bytes.
    static let answerBytesMax = 2048

    /// The stream; odd, growing along the connection.
    public internal(set) var streamID: Int32 = 0
    /// How many header fields there are, pseudo-header fields among them.
    public internal(set) var fieldCount = 0
    /// The length of the whole body as received, also of what was not kept.
    public internal(set) var bodyCount = 0
    /// Whether the body was cut at its greatest size: the answer ends the stream.
    public internal(set) var isCut = false
    /// Whether the peer has reset the stream or the connection is gone; an answer then goes nowhere.
    public internal(set) var isClosed = false

    var isOversized = false
    var isQueued = false
    var isHeld = false
    var isAnswered = false

    private var fields = InlineArray<64, Field>(repeating: Field())
    private var head: GrowingBytes
    private var bodyStore: GrowingBytes
    private let bodyBytesKept: Int
    private let headBytesMax: Int
    private var answerStart = 0

    var answerFieldCount = 0
    private let answerFields: UnsafeMutablePointer<nghttp2_nv>
    private var answerValues = InlineArray<8, Range<Int>>(repeating: 0..<0)
    var answerBody = 0..<0
    var answerBodySent = 0

    init(headBytesMax: Int, bodyBytesKept: Int) {
        self.headBytesMax = headBytesMax
        self.bodyBytesKept = bodyBytesKept
        self.head = GrowingBytes(capacity: 1024)
        self.bodyStore = GrowingBytes(capacity: 1024)
        unsafe self.answerFields = .allocate(capacity: Self.answerFieldCountMax)
    }

    deinit { unsafe answerFields.deallocate() }

    /// Makes a request that came over no connection, for what decides about requests.
    ///
    /// - Parameters:
    ///   - fields: Names and values in order.
    ///   - body: The body.
    public convenience init(fields: [(name: String, value: String)], body: [UInt8]) {
        self.init(headBytesMax: 60_000, bodyBytesKept: body.count)
        for field in fields {
            unsafe Array(field.name.utf8).withUnsafeBytes { name in
                unsafe Array(field.value.utf8).withUnsafeBytes { value in unsafe addField(name, value) }
            }
        }
        unsafe body.withUnsafeBytes { unsafe addBody($0) }
        finishHead()
    }

    /// The memory that the fields stand in.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(head.span, borrowing: self) }
    }

    /// The body, as far as it was kept.
    public var body: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(bodyStore.span, borrowing: self) }
    }

    /// The field at an index below ``fieldCount``.
    public func field(at index: Int) -> Field { fields[index] }

    func start(streamID: Int32) {
        self.streamID = streamID
        fieldCount = 0
        bodyCount = 0
        isCut = false
        isClosed = false
        isOversized = false
        isQueued = false
        isHeld = false
        isAnswered = false
        head.removeAll()
        bodyStore.removeAll()
        answerStart = 0
    }

    func addField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard fieldCount < Self.fieldCountMax, head.count + name.count + value.count <= headBytesMax else {
            isOversized = true
            return
        }
        var field = Field()
        field.nameStart = UInt16(truncatingIfNeeded: head.count)
        field.nameCount = UInt16(truncatingIfNeeded: name.count)
        unsafe head.append(name)
        field.valueStart = UInt16(truncatingIfNeeded: head.count)
        field.valueCount = UInt16(truncatingIfNeeded: value.count)
        unsafe head.append(value)
        fields[fieldCount] = field
        fieldCount += 1
    }

    func finishHead() { answerStart = head.count }

    func addBody(_ bytes: UnsafeRawBufferPointer) {
        bodyCount += bytes.count
        let kept = min(bytes.count, bodyBytesKept - bodyStore.count)
        if kept > 0 { unsafe bodyStore.append(UnsafeRawBufferPointer(rebasing: bytes[..<kept])) }
    }
}

extension ServerRequest {
    /// Begins the answer, and drops what was said of one before.
    ///
    /// - Parameter status: 100 to 999.
    public func beginAnswer(status: Int) {
        head.truncate(to: answerStart)
        answerFieldCount = 0
        answerBody = 0..<0
        answerBodySent = 0
        let start = head.count
        let clamped = min(max(status, 100), 999)
        head.append(UInt8(truncatingIfNeeded: clamped / 100) &+ 0x30)
        head.append(UInt8(truncatingIfNeeded: clamped / 10 % 10) &+ 0x30)
        head.append(UInt8(truncatingIfNeeded: clamped % 10) &+ 0x30)
        addAnswerField(":status", start..<start + 3, .indexed)
    }

    /// Adds a field whose value is part of the request, such as an id that is echoed.
    ///
    /// - Parameters:
    ///   - name: Lower-case.
    ///   - value: A place in ``bytes``.
    ///   - indexing: How it is written.
    public func addAnswerField(_ name: StaticString, _ value: Range<Int>, _ indexing: Indexing) {
        guard answerFieldCount < Self.answerFieldCountMax, value.lowerBound >= 0, value.upperBound <= head.count else {
            return
        }
        var pair = unsafe nghttp2_nv()
        unsafe pair.name = UnsafeMutablePointer(mutating: name.utf8Start)
        unsafe pair.namelen = name.utf8CodeUnitCount
        unsafe pair.valuelen = value.count
        let kept = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue) | UInt8(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
        unsafe pair.flags = indexing == .never ? kept | UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) : kept
        unsafe answerFields[answerFieldCount] = pair
        answerValues[answerFieldCount] = value
        answerFieldCount += 1
    }

    /// Adds a field; the value is copied.
    ///
    /// - Parameters:
    ///   - name: Lower-case.
    ///   - value: At most 256 bytes are kept.
    ///   - indexing: How it is written.
    public func addAnswerField(_ name: StaticString, _ value: Span<UInt8>, _ indexing: Indexing) {
        addAnswerField(name, keep(value, bytesMax: 256), indexing)
    }

    /// Adds a field with a constant value.
    ///
    /// - Parameters:
    ///   - name: Lower-case.
    ///   - value: At most 256 bytes are kept.
    ///   - indexing: How it is written.
    public func addAnswerField(_ name: StaticString, _ value: StaticString, _ indexing: Indexing) {
        let bytes = unsafe Span(_unsafeStart: value.utf8Start, count: value.utf8CodeUnitCount)
        addAnswerField(name, keep(bytes, bytesMax: 256), indexing)
    }

    /// Sets the body of the answer; it is copied and leaves in one DATA frame that ends the stream.
    ///
    /// - Parameter bytes: At most 1,024 bytes are kept.
    public func setAnswerBody(_ bytes: Span<UInt8>) {
        answerBody = keep(bytes, bytesMax: 1024)
    }

    private func keep(_ bytes: Span<UInt8>, bytesMax: Int) -> Range<Int> {
        let start = head.count
        let room = answerStart + Self.answerBytesMax - start
        let count = max(0, min(bytes.count, bytesMax, room))
        unsafe bytes.withUnsafeBytes { unsafe head.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        return start..<head.count
    }

    /// The answer's fields for nghttp2; names and values stay where they are until the stream is closed.
    func answerPairs() -> UnsafeMutablePointer<nghttp2_nv> {
        for index in 0..<answerFieldCount {
            unsafe answerFields[index].value = head.pointer(at: answerValues[index].lowerBound)
        }
        return unsafe answerFields
    }

    /// Copies the next part of the answer's body.
    ///
    /// - Parameter buffer: Where to.
    /// - Returns: How many bytes were copied, and whether they were the last.
    func copyAnswerBody(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        let count = min(buffer.count, answerBody.count - answerBodySent)
        if count > 0 {
            let source = unsafe head.pointer(at: answerBody.lowerBound + answerBodySent)
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: source, count: count))
        }
        answerBodySent += count
        return (count, answerBodySent == answerBody.count)
    }
}
