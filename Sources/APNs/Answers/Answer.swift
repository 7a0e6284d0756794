/// One answer of APNs, understood.
public struct Answer: Equatable, Sendable {
    /// The status.
    public let status: UInt16
    /// Why the push was refused; nil where it was accepted, and where no reason came.
    public let reason: Reason?
    /// When the device token was known to be gone, in milliseconds since 1970; nil where it was not said.
    public let unregisteredAtMillis: Int64?
    /// What the answer means.
    public let disposition: Disposition

    /// Reads an answer; allocates only for an unknown reason.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - body: The whole body, or what was kept of it.
    ///   - isAppTopic: Whether the push has the topic of its app; see ``PushRequest/hasTopic(ofApp:)``.
    public init(status: UInt16, body: UnsafeRawBufferPointer, isAppTopic: Bool) {
        self.status = status
        guard status != 200 else {
            self.reason = nil
            self.unregisteredAtMillis = nil
            self.disposition = .accepted
            return
        }
        let content = unsafe ErrorBody(body)
        let reason = unsafe content.reason(in: body)
        self.reason = reason
        self.unregisteredAtMillis = status == 410 ? content.timestampMillis : nil
        self.disposition = .of(
            status: status,
            reason: reason,
            hasTimestamp: content.timestampMillis != nil,
            isAppTopic: isAppTopic
        )
    }
}
