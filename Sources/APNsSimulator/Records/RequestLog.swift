internal import EventLoop
internal import Glibc
internal import HTTP2
internal import Observability

/// The file with one JSON line for each answered request; confined to the loop.
///
/// Lines gather in memory and are written together: when there are many, and before the loop has been idle for long.
/// Lines that the file does not take are lost and counted; the first time that is said.
struct RequestLog: ~Copyable {
    static let delayMillis: Int64 = 50
    private static let bytesMax = 65_536

    private let path: String
    private let logger: Logger
    private let descriptor: Int32
    private var text = TextBuffer(capacity: bytesMax + 16_384)
    private var oldestMillis: Int64?
    /// Whether the file ends in a part of a line.
    private var isTorn = false

    /// How many lines the file did not take, or not whole.
    private(set) var lostLineCount = 0

    /// Opens the file, to append to it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - logger: Who says that it cannot be written.
    /// - Throws: ``SimulatorError`` with the path.
    init(path: String, logger: Logger = Logger(label: "geopush.simulator")) throws(SimulatorError) {
        self.path = path
        self.logger = logger
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

    /// Writes the lines that wait.
    mutating func flush() {
        oldestMillis = nil
        if isTorn {
            // Else the next line would go on where the torn one ends, and be lost with it.
            let lineFeed = InlineArray<1, UInt8>(repeating: UInt8(ascii: "\n"))
            isTorn = write(lineFeed.span) == 0
        }
        let sentCount = isTorn ? 0 : write(text.span)
        if sentCount < text.count { lose(after: sentCount) }
        text.removeAll()
    }

    /// Writes bytes.
    ///
    /// - Returns: How many were written; `errno` says why not all.
    private func write(_ bytes: Span<UInt8>) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                if count > 0 { sent += count } else if count == 0 || errno != EINTR { break }
            }
            return sent
        }
    }

    private mutating func lose(after sentCount: Int) {
        if lostLineCount == 0 {
            let error = SystemError(lastOf: "write")
            logger.error("the log cannot be written, its lines are lost", ["path": path, "error": "\(error)"])
        }
        for index in sentCount..<text.count where text.span[index] == UInt8(ascii: "\n") { lostLineCount += 1 }
        if sentCount > 0 { isTorn = text.span[sentCount - 1] != UInt8(ascii: "\n") }
    }
}
