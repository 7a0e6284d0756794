internal import EventLoop
internal import Glibc
internal import HTTP2

/// The file with one JSON line for each answered request; confined to the loop.
///
/// Lines gather in memory and are written together: when there are many, and before the loop has been idle for long.
struct RequestLog: ~Copyable {
    static let delayMillis: Int64 = 50
    private static let bytesMax = 65_536

    private let descriptor: Int32
    private var text = TextBuffer(capacity: bytesMax + 16_384)
    private var oldestMillis: Int64?

    /// Opens the file, to append to it.
    ///
    /// - Throws: ``SimulatorError`` with the path.
    init(path: String) throws(SimulatorError) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SimulatorError("log \(path): \(SystemError(lastOf: "open"))") }
    }

    deinit { close(descriptor) }

    /// When the lines that wait have to be written; nil where none wait.
    var dueMillis: Int64? { oldestMillis.map { $0 + Self.delayMillis } }

    /// Adds the line of one request.
    mutating func add(
        _ request: ServerRequest,
        _ head: PushHead,
        _ answer: Answer,
        connection: Int,
        token: WebToken?,
        at moment: Moment
    ) {
        if oldestMillis == nil { oldestMillis = moment.nowMillis }
        let bytes = request.bytes
        text.append("{\"at\":\"")
        var time = InlineArray<24, UInt8>(repeating: 0)
        var span = time.mutableSpan
        Timestamp.write(millis: moment.wallMillis, into: &span)
        text.append(time.span)
        text.append("\",\"connection\":")
        text.append(decimal: Int64(connection))
        text.append(",\"stream\":")
        text.append(decimal: Int64(request.streamID))
        text.append(",\"token\":")
        text.append(quoted: bytes.extracting(head.token(in: bytes)))
        text.append(",\"status\":")
        text.append(decimal: Int64(answer.status))
        addReason(answer)
        addHeaders(request)
        addToken(token)
        text.append(",\"body\":")
        text.append(quoted: request.body)
        text.append("}\n")
        if text.count >= Self.bytesMax { flush() }
    }

    private mutating func addReason(_ answer: Answer) {
        text.append(",\"reason\":")
        if let rejection = answer.rejection {
            text.append("\"")
            text.append(rejection.reason)
            text.append("\"")
        } else if let other = answer.otherReason {
            text.append(quoted: other)
        } else {
            text.append("null")
        }
    }

    private mutating func addHeaders(_ request: ServerRequest) {
        let bytes = request.bytes
        text.append(",\"headers\":{")
        var isFirst = true
        for index in 0..<request.fieldCount {
            let field = request.field(at: index)
            let name = bytes.extracting(field.name)
            guard name.starts(with: "apns-") else { continue }
            if !isFirst { text.append(",") }
            isFirst = false
            text.append(quoted: name)
            text.append(":")
            text.append(quoted: bytes.extracting(field.value))
        }
        text.append("}")
    }

    private mutating func addToken(_ token: WebToken?) {
        guard let token else {
            text.append(",\"kid\":null,\"iss\":null,\"iat\":null")
            return
        }
        text.append(",\"kid\":")
        text.append(quoted: token.keyID)
        text.append(",\"iss\":")
        text.append(quoted: token.teamID)
        text.append(",\"iat\":")
        text.append(decimal: token.issuedAtSeconds)
    }

    /// Writes the lines that wait; what a full disk refuses is lost.
    mutating func flush() {
        oldestMillis = nil
        let descriptor = descriptor
        unsafe text.span.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = unsafe write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                if count > 0 { sent += count } else if count < 0, errno != EINTR { return }
            }
        }
        text.removeAll()
    }
}
