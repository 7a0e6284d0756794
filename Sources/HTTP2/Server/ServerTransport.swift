internal import COpenSSL
internal import Glibc

/// One accepted socket under TLS, non-blocking; confined to one thread.
///
/// The handshake is part of the first reads. OpenSSL writes with `write`, so the thread must have SIGPIPE blocked or
/// ignored (``blockBrokenPipeSignal()``).
/// See <https://docs.openssl.org/3.0/man3/SSL_read/> and `SSL_write`.
@safe
public struct ServerTransport: ~Copyable {
    /// What a read or a write came to.
    public enum Outcome: Equatable, Sendable {
        /// So many bytes were moved, one at least.
        case moved(Int)
        /// The socket is not ready.
        case wouldBlock
        /// The peer has closed, the connection broke, or the peer does not speak TLS as it should.
        case closed
    }

    /// The socket, to wait on; owned by this value.
    public let fileDescriptor: Int32
    /// Whether the last call waits for room to write, also a read: a handshake writes too.
    public private(set) var needsWritable = false
    private let session: OpaquePointer

    /// Takes an accepted socket over; nil where memory is short, and then the socket is closed.
    ///
    /// - Parameters:
    ///   - fileDescriptor: A connected, non-blocking socket.
    ///   - tls: Certificate and rules.
    public init?(takingOwnershipOf fileDescriptor: Int32, tls: ServerTLS) {
        guard let session = unsafe tls.makeSession(on: fileDescriptor) else {
            close(fileDescriptor)
            return nil
        }
        self.fileDescriptor = fileDescriptor
        unsafe self.session = session
    }

    deinit {
        unsafe SSL_free(session)
        close(fileDescriptor)
    }

    /// Blocks SIGPIPE for the calling thread, which a write to a closed socket would raise.
    public static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Reads what has arrived.
    ///
    /// - Parameter buffer: Where to, one byte at least.
    /// - Returns: What it came to; also decrypted bytes that wait inside are found only by reading until `wouldBlock`.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let count = unsafe SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count))
        return outcome(count)
    }

    /// Writes as much as the socket takes of one TLS record.
    ///
    /// - Parameter bytes: What to write, one byte at least; after `wouldBlock` the same bytes must come again.
    /// - Returns: What it came to.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let count = unsafe SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count))
        return outcome(count)
    }

    /// Reads from the socket below TLS and throws it away, to find the peer's end without answering anything.
    ///
    /// - Parameter buffer: Scratch memory.
    /// - Returns: What it came to.
    public mutating func discard(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let count = unsafe recv(fileDescriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .closed
    }

    /// Says the end: TLS's close_notify as far as it can be written at once, then TCP's.
    public mutating func finish() {
        ERR_clear_error()
        if unsafe SSL_is_init_finished(session) == 1 { _ = unsafe SSL_shutdown(session) }
        // Fails only where the peer has closed already.
        _ = shutdown(fileDescriptor, Int32(SHUT_WR))
        ERR_clear_error()
    }

    private mutating func outcome(_ count: Int32) -> Outcome {
        if count > 0 {
            needsWritable = false
            return .moved(Int(count))
        }
        switch unsafe SSL_get_error(session, count) {
        case SSL_ERROR_WANT_READ:
            needsWritable = false
            return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            needsWritable = true
            return .wouldBlock
        default:
            ERR_clear_error()
            return .closed
        }
    }
}
