internal import Cryptography

/// The `apns-collapse-id` of a push.
enum CollapseID {
    /// The most bytes that APNs takes.
    static let bytesMax = 64

    /// Whether an id can stand in the header as it is.
    static func isFit(_ id: UnsafeRawBufferPointer) -> Bool {
        guard id.count > 0 && id.count <= bytesMax else { return false }
        return unsafe id[0] != 0x20 && id[id.count - 1] != 0x20 && UTF8Text.isPrintableASCII(id)
    }

    /// Appends an id as APNs takes it.
    ///
    /// That is itself, or the base64url of its SHA-256 where it is too long for the header or no printable ASCII.
    /// Spaces at an end would not survive a header either.
    ///
    /// - Parameters:
    ///   - id: A collapse id, location id or campaign id.
    ///   - buffer: Where to.
    static func append(_ id: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
        guard id.count > 0 else { return }
        if unsafe isFit(id) {
            unsafe buffer.append(id)
        } else {
            unsafe buffer.append(base64URL: Digest.sha256(id))
        }
    }
}
