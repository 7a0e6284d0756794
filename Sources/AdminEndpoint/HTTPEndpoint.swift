internal import CMicrohttpd
public import EventLoop
internal import Glibc
internal import Synchronization

/// A small HTTP/1.1 server for people and probes, not for load: one thread, one request after the other.
///
/// Nobody can keep it from the next client by holding connections open: at a bound the oldest is closed.
///
/// It serves from the moment it is made until it is let go, which waits for the request under way. It has no encryption
/// and asks nobody who they are: it belongs on loopback or a private network. See
/// <https://www.gnu.org/software/libmicrohttpd/manual/libmicrohttpd.html>.
@safe
public final class HTTPEndpoint: @unchecked Sendable {
    /// The longest body that is taken; a longer one is answered with 413.
    public static let bodyBytesMax = 1 << 20

    /// How many connections stay open when another comes.
    static let connectionsKept = 128
    /// Above what is kept, since a connection that gives way is closed a little later; at this bound none is accepted.
    private static let connectionsMax: UInt32 = 256
    private static let idleSecondsMax: UInt32 = 10

    /// The port, also where the system chose it.
    public let port: UInt16
    // Sendable: only deinit touches the daemon.
    private let daemon: OpaquePointer
    /// Lent to the daemon, whose thread ends before it.
    private let exchange: Exchange

    /// Listens and starts to serve.
    ///
    /// - Parameters:
    ///   - host: A name or an address of this machine; a name's first address is taken.
    ///   - port: 0 lets the system choose.
    ///   - handler: Answers one request; called on the endpoint's thread, on which the next request waits for it.
    /// - Throws: ``SystemError``, such as that of a port in use.
    public init(
        host: String,
        port: UInt16,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws(SystemError) {
        let listener = try ListeningSocket(host: host, port: port)
        let exchange = Exchange(handler)
        self.port = listener.port
        self.exchange = exchange
        // passUnretained: this object owns both, and stops the daemon before it lets the exchange go.
        let argument = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        guard
            let daemon = unsafe CMicrohttpd_start_daemon(
                listener.descriptor,
                receive,
                argument,
                completed,
                changed,
                Self.connectionsMax,
                Self.idleSecondsMax
            )
        else {
            // Whether it has closed the socket depends on how it failed; a number that may be another's is left alone.
            throw SystemError(call: "MHD_start_daemon", code: errno)
        }
        unsafe self.daemon = daemon
    }

    deinit {
        // Closes the listening socket and all connections, and joins the thread.
        unsafe MHD_stop_daemon(daemon)
    }
}

/// One daemon's handler and connections, as its callbacks see them.
private final class Exchange: Sendable {
    private let handler: @Sendable (HTTPRequest) -> HTTPResponse
    /// The sockets of connections, the oldest first, without those that gave way.
    private let connections = Mutex<[Int32]>([])

    init(_ handler: @escaping @Sendable (HTTPRequest) -> HTTPResponse) { self.handler = handler }

    func response(method: String, path: String, _ upload: Upload) -> HTTPResponse {
        guard !upload.isTooLong else {
            return .text(413, "the body is longer than \(HTTPEndpoint.bodyBytesMax) bytes")
        }
        return handler(HTTPRequest(method: method, path: path, body: upload.body))
    }

    /// Takes a new connection, for which the oldest gives way where there are many.
    ///
    /// A client that is silent, or slow on purpose, would otherwise keep a probe waiting, and a probe without an answer
    /// restarts the process.
    func opened(_ socket: Int32) {
        let oldest = connections.withLock { sockets in
            sockets.append(socket)
            return sockets.count > HTTPEndpoint.connectionsKept ? sockets.removeFirst() : nil
        }
        // The daemon sees its end and closes it; until then nobody else gets its number.
        if let oldest { shutdown(oldest, Int32(SHUT_RDWR)) }
    }

    func closed(_ socket: Int32) {
        connections.withLock { $0.removeAll { $0 == socket } }
    }
}

/// The body of a request while it arrives; one for each request, on the daemon's thread only.
private final class Upload {
    private(set) var body: [UInt8] = []
    private(set) var isTooLong = false

    func append(_ bytes: UnsafeRawBufferPointer) {
        isTooLong = isTooLong || body.count + bytes.count > HTTPEndpoint.bodyBytesMax
        if isTooLong { body = [] } else { unsafe body.append(contentsOf: bytes) }
    }
}

/// Called when the head of a request has arrived, for each part of its body, and once more at its end.
private func receive(
    _ argument: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ part: UnsafePointer<CChar>?,
    _ partBytes: UnsafeMutablePointer<Int>?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let argument = unsafe argument, let connection = unsafe connection, let path = unsafe path,
        let method = unsafe method, let partBytes = unsafe partBytes, let state = unsafe state
    else { return .NO }
    guard let known = unsafe state.pointee else {
        // Released by the callback of the request's end, which follows in every case.
        unsafe state.pointee = Unmanaged.passRetained(Upload()).toOpaque()
        return .YES
    }
    let upload = unsafe Unmanaged<Upload>.fromOpaque(known).takeUnretainedValue()
    if unsafe partBytes.pointee > 0 {
        unsafe upload.append(UnsafeRawBufferPointer(start: part, count: partBytes.pointee))
        unsafe partBytes.pointee = 0
        return .YES
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(argument).takeUnretainedValue()
    let response = unsafe exchange.response(method: String(cString: method), path: String(cString: path), upload)
    return unsafe send(response, on: connection)
}

/// Called once at the end of every request, however it ended.
private func completed(
    _: UnsafeMutableRawPointer?,
    _: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _: MHD_RequestTerminationCode
) {
    guard let state = unsafe state, let upload = unsafe state.pointee else { return }
    unsafe Unmanaged<Upload>.fromOpaque(upload).release()
    unsafe state.pointee = nil
}

/// Called when a connection was accepted, and before it is closed.
private func changed(
    _ argument: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let argument = unsafe argument, let connection = unsafe connection else { return }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(argument).takeUnretainedValue()
    let socket = unsafe CMicrohttpd_connection_socket(connection)
    guard socket >= 0 else { return }
    if change == .CONNECTION_NOTIFY_STARTED { exchange.opened(socket) } else { exchange.closed(socket) }
}

private func send(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
    var body = response.body
    let count = body.count
    let made = unsafe body.withUnsafeMutableBytes { bytes in
        unsafe MHD_create_response_from_buffer(count, bytes.baseAddress, .RESPMEM_MUST_COPY)
    }
    guard let made = unsafe made else { return .NO }
    defer { unsafe MHD_destroy_response(made) }
    var headers = [("content-type", response.contentType), ("cache-control", "no-store")]
    if let allow = response.allow { headers.append(("allow", allow)) }
    for (name, value) in headers where unsafe MHD_add_response_header(made, name, value) != .YES { return .NO }
    return unsafe MHD_queue_response(connection, UInt32(clamping: response.status), made)
}
