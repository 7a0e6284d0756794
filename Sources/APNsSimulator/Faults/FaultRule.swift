internal import FoundationEssentials

/// One thing that goes wrong on purpose: which requests it concerns, and what then happens.
///
/// Written as `{"match": {…}, "then": {…}}`. Of the rules that match a request, the first that says a thing decides it.
public struct FaultRule: Sendable, Equatable {
    /// Which requests; all that is said must hold.
    public struct Match: Sendable, Equatable {
        /// The device token, in either case.
        public var token: String?
        /// The share of the requests, 0 to 1; which ones is the same in every run.
        public var share: Double?
        /// At most so many requests.
        public var count: Int?
        /// From so many seconds after the rules were set.
        public var afterSeconds: Double?
        /// For so many seconds from then on.
        public var forSeconds: Double?

        /// Matches every request.
        public init() {}
    }

    /// A GOAWAY.
    public struct GoAway: Sendable, Equatable {
        /// How many of the streams not yet answered, from the highest down, stay above the last stream named.
        public var unanswered: Int
        /// The `reason` in its debug data; nil: none.
        public var reason: String?

        /// Describes a GOAWAY.
        ///
        /// - Parameters:
        ///   - unanswered: How many open streams are never answered.
        ///   - reason: The `reason` in its debug data.
        public init(unanswered: Int, reason: String? = nil) {
            self.unanswered = unanswered
            self.reason = reason
        }
    }

    /// SETTINGS sent on the connection of the request.
    public struct Settings: Sendable, Equatable {
        /// SETTINGS_MAX_CONCURRENT_STREAMS.
        public var maxConcurrentStreams: UInt32?
        /// SETTINGS_INITIAL_WINDOW_SIZE in bytes.
        public var initialWindowSize: UInt32?

        /// Says nothing.
        public init() {}
    }

    /// What happens.
    public struct Then: Sendable, Equatable {
        /// The status of the answer; nil: that of the reason, or the answer that is due.
        public var status: Int?
        /// The reason in the answer's body, of Apple's list or not; empty: an answer without a body.
        public var reason: String?
        /// `retry-after` in seconds.
        public var retryAfter: Int?
        /// The time of a 410 in milliseconds since 1970; nil: the time of the answer.
        public var timestamp: Int64?
        /// How long the answer waits.
        public var delayMillis: Int64?
        /// Resets the stream with REFUSED_STREAM.
        public var refuse = false
        /// Sends GOAWAY and ends the connection when what is left is answered.
        public var goaway: GoAway?
        /// Closes the connection at once.
        public var close = false
        /// Leaves the connection open and says nothing on it any more, to no request and no PING.
        public var blackHole = false
        /// Sends SETTINGS, beside what else happens.
        public var settings: Settings?

        /// Changes nothing.
        public init() {}
    }

    /// Which requests.
    public var match: Match
    /// What happens.
    public var then: Then

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - match: Which requests.
    ///   - then: What happens.
    public init(match: Match = Match(), then: Then) {
        self.match = match
        self.then = then
    }

    /// Makes a rule by filling in an empty one.
    ///
    /// - Parameter fill: Sets what the rule says.
    public init(_ fill: (inout Match, inout Then) -> Void) {
        match = Match()
        then = Then()
        fill(&match, &then)
    }
}
