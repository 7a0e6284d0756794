/// Decides which faults a request meets; time is a parameter, and chance is the same in every run.
struct FaultEngine {
    private struct Armed {
        let rule: FaultRule
        let token: [UInt8]?
        let fromMillis: Int64
        let untilMillis: Int64
        var left: Int
        var random: SplitMix
    }

    private var rules: [Armed] = []

    /// Whether there is no rule.
    var isEmpty: Bool { rules.isEmpty }

    /// The rules as they were set.
    var current: [FaultRule] { rules.map(\.rule) }

    /// Replaces all rules.
    ///
    /// - Parameters:
    ///   - new: The rules in order.
    ///   - nowMillis: Monotonic time, from which `afterSeconds` counts.
    mutating func set(_ new: [FaultRule], nowMillis: Int64) {
        rules = new.enumerated().map { index, rule in
            let from = nowMillis + Int64((rule.match.afterSeconds ?? 0) * 1000)
            return Armed(
                rule: rule,
                token: rule.match.token.map { $0.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 } },
                fromMillis: from,
                untilMillis: rule.match.forSeconds.map { from + Int64($0 * 1000) } ?? .max,
                left: rule.match.count ?? .max,
                random: SplitMix(seed: 0x5EED + UInt64(index))
            )
        }
    }

    /// Finds what happens to a request.
    ///
    /// - Parameters:
    ///   - token: Its device token.
    ///   - nowMillis: Monotonic time.
    /// - Returns: Nil where no rule matches; else all that the matching rules say.
    mutating func decide(token: Span<UInt8>, nowMillis: Int64) -> FaultRule.Then? {
        var decision: FaultRule.Then?
        for index in rules.indices where matches(index, token, nowMillis) {
            if let first = decision {
                decision = first.completed(by: rules[index].rule.then)
            } else {
                decision = rules[index].rule.then
            }
        }
        return decision
    }

    private mutating func matches(_ index: Int, _ token: Span<UInt8>, _ nowMillis: Int64) -> Bool {
        guard rules[index].left > 0, nowMillis >= rules[index].fromMillis, nowMillis < rules[index].untilMillis else {
            return false
        }
        if let wanted = rules[index].token {
            guard wanted.count == token.count else { return false }
            for position in 0..<token.count {
                let byte = token[position]
                let lowered = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                guard wanted[position] == lowered else { return false }
            }
        }
        if let share = rules[index].rule.match.share {
            // 53 bits, as a Double holds them exactly.
            let drawn = Double(rules[index].random.next() >> 11) / 9_007_199_254_740_992
            guard drawn < share else { return false }
        }
        if rules[index].left != .max { rules[index].left -= 1 }
        return true
    }
}

extension FaultRule.Then {
    /// What this and a later rule say together.
    fileprivate func completed(by later: FaultRule.Then) -> FaultRule.Then {
        var both = self
        if both.status == nil, both.reason == nil {
            both.status = later.status
            both.reason = later.reason
            both.timestamp = both.timestamp ?? later.timestamp
        }
        both.retryAfter = both.retryAfter ?? later.retryAfter
        both.delayMillis = both.delayMillis ?? later.delayMillis
        both.goaway = both.goaway ?? later.goaway
        both.settings = both.settings ?? later.settings
        both.refuse = both.refuse || later.refuse
        both.close = both.close || later.close
        both.blackHole = both.blackHole || later.blackHole
        return both
    }
}

/// SplitMix64, Steele and others 2014: small, fast, good enough for faults and identifiers.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// Spreads every bit of a value over all bits.
    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
