/// What a request is answered with.
struct Answer {
    var status: Int
    /// The reason, where it is one of Apple's list.
    var rejection: Rejection?
    /// A reason outside the list, or an empty one for an answer without a body.
    var otherReason: String?
    var timestampMillis: Int64?
    var retryAfterSeconds: Int?

    /// The answer that a verdict calls for.
    init(_ verdict: Verdict) {
        switch verdict {
        case .accepted: status = 200
        case .rejected(let rejection, let time):
            self.status = rejection.status
            self.rejection = rejection
            self.timestampMillis = time
        }
    }

    /// Changes the answer to what a fault says.
    mutating func apply(_ fault: FaultRule.Then, wallMillis: Int64) {
        retryAfterSeconds = fault.retryAfter
        guard fault.status != nil || fault.reason != nil else { return }
        let known = fault.reason.flatMap(Rejection.named) ?? (fault.reason == nil ? usual(fault.status) : nil)
        status = fault.status ?? known?.status ?? 400
        rejection = known
        otherReason = known == nil ? fault.reason : nil
        timestampMillis = status == 410 ? fault.timestamp ?? wallMillis : fault.timestamp
        if status == 200 {
            rejection = nil
            otherReason = nil
        }
    }

    private func usual(_ status: Int?) -> Rejection? { status.flatMap(Rejection.usual) }

    /// Writes the body: a reason, and a time where there is one; nothing for a 200 or a reason that is empty.
    func writeBody(_ text: inout TextBuffer) {
        text.removeAll()
        guard status != 200 else { return }
        if let rejection {
            text.append("{\"reason\":\"")
            text.append(rejection.reason)
            text.append("\"")
        } else if let otherReason, !otherReason.isEmpty {
            text.append("{\"reason\":")
            text.append(quoted: otherReason)
        } else {
            return
        }
        if let timestampMillis {
            text.append(",\"timestamp\":")
            text.append(decimal: timestampMillis)
        }
        text.append("}")
    }
}

/// The time of a turn of the loop.
struct Moment {
    /// Monotonic time.
    var nowMillis: Int64
    /// Time since 1970.
    var wallMillis: Int64
}
