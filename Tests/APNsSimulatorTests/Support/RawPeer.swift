import EventLoop

@testable import APNsSimulator
@testable import HTTP2

/// A peer that writes bytes of its own choice under TLS, whatever HTTP/2 says.
struct RawPeer {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let transport: Transport

    init(_ simulator: APNsSimulator) throws {
        let endpoint = Endpoint(host: "localhost", port: simulator.port, caFile: simulator.caFile)
        transport = try Transport(to: endpoint, timeoutMillis: 20_000)
    }

    /// Writes all bytes, or as far as the simulator lets it.
    func write(_ bytes: [UInt8]) {
        var sent = 0
        let deadline = Clock.monotonicMillis() + 20_000
        while sent < bytes.count, Clock.monotonicMillis() < deadline {
            let outcome = bytes.withUnsafeBytes { transport.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            switch outcome {
            case .moved(let count): sent += count
            case .wouldBlock: wait(.write)
            case .ended, .failed: return
            }
        }
    }

    /// Reads until the simulator ends the connection.
    ///
    /// - Returns: All that came, or nil if the connection goes on.
    func readToEnd(timeoutMillis: Int64 = 20_000) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part: [UInt8] = .init(repeating: 0, count: 16_384)
        let deadline = Clock.monotonicMillis() + timeoutMillis
        while Clock.monotonicMillis() < deadline {
            switch part.withUnsafeMutableBytes({ transport.read(into: $0) }) {
            case .moved(let count): bytes += part[..<count]
            case .wouldBlock: wait(.read)
            case .ended, .failed: return bytes
            }
        }
        return nil
    }

    private func wait(_ interest: Poller.Interest) {
        guard var poller = try? Poller(capacity: 1),
            (try? poller.add(transport.fileDescriptor, interest, tag: 0)) != nil
        else { return }
        _ = poller.wait(timeoutMillis: 1000)
    }

    /// One frame.
    static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
            + [24, 16, 8, 0].map { UInt8(stream >> UInt32($0) & 255) } + payload
    }

    static let settings = frame(type: 4)

    /// A header block of literal fields that are not indexed.
    static func block(_ fields: [(name: String, value: String)]) -> [UInt8] {
        func text(_ string: String) -> [UInt8] {
            let bytes = Array(string.utf8)
            if bytes.count < 127 { return [UInt8(bytes.count)] + bytes }
            var prefix: [UInt8] = [127]
            var rest = bytes.count - 127
            while rest >= 128 {
                prefix.append(UInt8(rest & 127 | 128))
                rest >>= 7
            }
            return prefix + [UInt8(rest)] + bytes
        }
        return fields.flatMap { [0] + text($0.name) + text($0.value) }
    }

    /// A whole connection with one push on stream 1.
    static func push(_ request: TestRequest) -> [UInt8] {
        preface + settings + frame(type: 1, flags: 4, stream: 1, block(request.fields))
            + frame(type: 0, flags: 1, stream: 1, request.body)
    }
}
