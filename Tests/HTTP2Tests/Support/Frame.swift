/// One HTTP/2 frame as bytes on the wire, written and read here without the library under test (RFC 9113 section 4).
struct Frame: Equatable {
    enum Kind: UInt8 {
        case data, headers, priority, rstStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let endStream: UInt8 = 0x1
    static let ack: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4

    var type: UInt8
    var flags: UInt8 = 0
    var streamID: UInt32 = 0
    var payload: [UInt8] = []

    var kind: Kind? { Kind(rawValue: type) }
    var isEndStream: Bool { flags & Self.endStream != 0 && (kind == .data || kind == .headers) }

    var bytes: [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags] + Self.word(streamID)
            + payload
    }

    /// The number in four bytes at an offset of the payload.
    func word(at offset: Int) -> UInt32 {
        payload[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func word(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    init(_ kind: Kind, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) {
        type = kind.rawValue
        self.flags = flags
        streamID = UInt32(stream)
        self.payload = payload
    }

    private init(parsing bytes: ArraySlice<UInt8>) {
        let at = bytes.startIndex
        type = bytes[at + 3]
        flags = bytes[at + 4]
        streamID = bytes[at + 5..<at + 9].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        payload = Array(bytes[(at + 9)...])
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Cuts what a client wrote into frames, without the preface.
    static func all(in written: [UInt8]) -> [Frame] {
        var rest = written[...]
        return take(from: &rest)
    }

    /// Takes the whole frames from the start of what a client wrote, and the preface before them.
    static func take(from rest: inout ArraySlice<UInt8>) -> [Frame] {
        if rest.starts(with: preface) { rest = rest.dropFirst(preface.count) }
        var frames: [Frame] = []
        while rest.count >= 9 {
            let start = rest.startIndex
            let length = Int(rest[start]) << 16 | Int(rest[start + 1]) << 8 | Int(rest[start + 2])
            guard rest.count >= 9 + length else { break }
            frames.append(Frame(parsing: rest[start..<start + 9 + length]))
            rest = rest[(start + 9 + length)...]
        }
        return frames
    }
}

/// What a server sends.
extension Frame {
    enum Setting: UInt16 {
        case headerTableSize = 1, enablePush, maxConcurrentStreams, initialWindowSize, maxFrameSize
    }

    static func settings(_ values: [Setting: UInt32] = [:]) -> Frame {
        let sorted = values.sorted { $0.key.rawValue < $1.key.rawValue }
        var payload: [UInt8] = []
        for (setting, value) in sorted { payload += [0, UInt8(setting.rawValue)] + word(value) }
        return Frame(.settings, payload)
    }

    static let settingsAck = Frame(.settings, flags: ack)
    static let pong = Frame(.ping, flags: ack, .init(repeating: 0, count: 8))

    static func headers(_ stream: Int32, _ fields: [(String, String)], end: Bool = false) -> Frame {
        var block: [UInt8] = []
        for (name, value) in fields {
            // A literal without indexing, name and value not compressed.
            block += [0, UInt8(name.utf8.count)] + Array(name.utf8)
            block += [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        return Frame(.headers, flags: endHeaders | (end ? endStream : 0), stream: stream, block)
    }

    static func status(_ stream: Int32, _ status: Int, end: Bool = true) -> Frame {
        headers(stream, [(":status", "\(status)")], end: end)
    }

    static func data(_ stream: Int32, _ bytes: [UInt8], end: Bool = true) -> Frame {
        Frame(.data, flags: end ? endStream : 0, stream: stream, bytes)
    }

    static func reset(_ stream: Int32, _ code: UInt32) -> Frame { Frame(.rstStream, stream: stream, word(code)) }

    static func goAway(_ last: Int32, _ code: UInt32 = 0, _ words: String = "") -> Frame {
        Frame(.goAway, word(UInt32(last)) + word(code) + Array(words.utf8))
    }

    static func windowUpdate(_ stream: Int32, _ bytes: UInt32) -> Frame {
        Frame(.windowUpdate, stream: stream, word(bytes))
    }
}

/// Error codes of RFC 9113 section 7.
enum ErrorCode {
    static let none: UInt32 = 0
    static let protocolError: UInt32 = 1
    static let internalError: UInt32 = 2
    static let refusedStream: UInt32 = 7
    static let cancel: UInt32 = 8
    static let enhanceYourCalm: UInt32 = 11
}
