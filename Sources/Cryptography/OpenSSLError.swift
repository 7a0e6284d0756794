internal import COpenSSL

/// A call of OpenSSL that failed.
public struct OpenSSLError: Error, Equatable, CustomStringConvertible {
    /// The call, such as `EVP_DigestSign`.
    public let call: String
    /// The packed code of the first error in OpenSSL's queue; 0 where it left none.
    public let code: UInt

    /// The call and OpenSSL's reason.
    public var description: String {
        guard code != 0 else { return "\(call) failed" }
        guard let reason = unsafe ERR_reason_error_string(code) else { return "\(call): error \(code)" }
        return unsafe "\(call): \(String(cString: reason))"
    }

    /// Runs one call on a clean error queue of this thread, and leaves the queue clean.
    ///
    /// Stale entries would otherwise be taken for the failure of a later call, such as a TLS read.
    ///
    /// - Parameters:
    ///   - call: The name of the call, for the error.
    ///   - body: Makes the call; nil means that it failed.
    /// - Returns: What the call returned.
    /// - Throws: The first error in the queue.
    static func check<Value>(_ call: StaticString, _ body: () -> Value?) throws(OpenSSLError) -> Value {
        ERR_clear_error()
        defer { ERR_clear_error() }
        if let value = body() { return value }
        throw OpenSSLError(call: "\(call)", code: ERR_peek_error())
    }

    /// Runs one call that answers 1 for success, as ``check(_:_:)-swift.type.method`` does.
    ///
    /// - Parameters:
    ///   - call: The name of the call, for the error.
    ///   - body: Makes the call.
    /// - Throws: The first error in the queue.
    static func checkStatus(_ call: StaticString, _ body: () -> Int32) throws(OpenSSLError) {
        _ = try check(call) { body() == 1 ? true : nil }
    }
}
