import Events
import Synchronization

/// Bytes of a text for what borrows them; kept for the life of the process, so that no test frees them too early.
struct Text: @unchecked Sendable {  // its memory is never written again
    private static let kept = Mutex<[Text]>([])

    let bytes: UnsafeRawBufferPointer

    init(_ text: String) { self.init(bytes: Array(text.utf8)) }

    init(bytes: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
        memory.copyBytes(from: bytes)
        self.bytes = UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count)
        let text = self
        Self.kept.withLock { $0.append(text) }
    }
}

/// The text of borrowed bytes.
func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

/// The text of what a writer leaves in a buffer.
func written(_ write: (inout ByteBuffer) -> Void) -> String {
    var buffer = ByteBuffer()
    write(&buffer)
    return string(buffer.bytes)
}
