import EventLoop
import Glibc

@testable import HTTP2

/// The peer's end of one connection: bytes under TLS, read and written with a deadline for all of it.
final class PeerStream {
    private var transport: ServerTransport
    /// What has come: whole frames, and the start of the next.
    private(set) var frames: [Frame] = []
    private var rest: ArraySlice<UInt8> = []
    private let deadlineMillis = Clock.monotonicMillis() + 20_000

    init?(_ descriptor: Int32, _ tls: ServerTLS) {
        guard let transport = ServerTransport(takingOwnershipOf: descriptor, tls: tls) else { return nil }
        self.transport = transport
    }

    func send(_ frames: Frame...) { send(bytes: frames.flatMap(\.bytes)) }

    func send(bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let outcome = bytes.withUnsafeBytes { transport.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            switch outcome {
            case .moved(let count): sent += count
            case .wouldBlock where wait(Int16(transport.needsWritable ? POLLOUT : POLLIN)): break
            case .wouldBlock, .closed: return
            }
        }
    }

    /// Reads until the client has sent so many frames of a kind in all.
    ///
    /// - Returns: All frames so far; fewer where the client has closed or the time is over.
    @discardableResult
    func read(until kind: Frame.Kind, count: Int = 1) -> [Frame] {
        while frames.count(where: { $0.kind == kind }) < count, readMore() {}
        return frames
    }

    /// Reads until so many requests have ended.
    func read(ends: Int) -> [Frame] {
        while frames.count(where: \.isEndStream) < ends, readMore() {}
        return frames
    }

    /// Reads until the client has closed.
    func readToEnd() { while readMore() {} }

    private func readMore() -> Bool {
        var part: [UInt8] = .init(repeating: 0, count: 65_536)
        while true {
            switch part.withUnsafeMutableBytes({ transport.read(into: $0) }) {
            case .moved(let count):
                rest += part[..<count]
                frames += Frame.take(from: &rest)
                return true
            case .wouldBlock where wait(Int16(transport.needsWritable ? POLLOUT : POLLIN)): break
            case .wouldBlock, .closed: return false
            }
        }
    }

    private func wait(_ events: Int16) -> Bool {
        var descriptor = pollfd(fd: transport.fileDescriptor, events: events, revents: 0)
        let left = deadlineMillis - Clock.monotonicMillis()
        return left > 0 && poll(&descriptor, 1, Int32(left)) > 0
    }

    /// Ends TLS and TCP, as a server does that stops.
    func finish() { transport.finish() }

    /// Has the connection reset when it is closed.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(transport.fileDescriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
