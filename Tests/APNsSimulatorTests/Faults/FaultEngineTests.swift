import Testing

@testable import APNsSimulator

struct FaultEngineTests {
    private static func rule(_ fill: (inout FaultRule.Match, inout FaultRule.Then) -> Void) -> FaultRule {
        FaultRule(fill)
    }

    private func engine(_ rules: FaultRule...) -> FaultEngine {
        var engine = FaultEngine()
        engine.set(rules, nowMillis: 1000)
        return engine
    }

    private func decide(
        _ engine: inout FaultEngine,
        _ token: String = "ab",
        at nowMillis: Int64 = 1000
    )
        -> FaultRule.Then?
    {
        engine.decide(token: Array(token.utf8).span, nowMillis: nowMillis)
    }

    @Test func `does nothing without a rule`() {
        var engine = engine()
        #expect(engine.isEmpty)
        #expect(decide(&engine) == nil)
    }

    @Test func `matches a token in either case`() {
        var engine = engine(
            Self.rule { match, then in
                match.token = "AB"
                then.status = 500
            }
        )
        #expect(decide(&engine, "ab")?.status == 500)
        #expect(decide(&engine, "cd") == nil)
        #expect(decide(&engine, "abab") == nil)
    }

    @Test func `stops after its count`() {
        var engine = engine(
            Self.rule { match, then in
                match.count = 2
                then.refuse = true
            }
        )
        #expect((0..<4).map { _ in decide(&engine) != nil } == [true, true, false, false])
    }

    @Test func `keeps to its time`() {
        var engine = engine(
            Self.rule { match, then in
                match.afterSeconds = 1
                match.forSeconds = 0.5
                then.close = true
            }
        )
        let times: [Int64] = [1000, 1999, 2000, 2499, 2500]
        #expect(times.map { decide(&engine, at: $0) != nil } == [false, false, true, true, false])
    }

    @Test func `meets its share, and the same requests in every run`() {
        let half = Self.rule { match, then in
            match.share = 0.25
            then.status = 503
        }
        var (first, second) = (engine(half), engine(half))
        let hits = (0..<10_000).map { _ in decide(&first) != nil }
        #expect(hits == (0..<10_000).map { _ in decide(&second) != nil })
        #expect((2300...2700).contains(hits.count { $0 }))
    }

    @Test(arguments: [(0.0, 0), (1.0, 100)])
    func `takes a share of none and of all`(share: Double, expected: Int) {
        var engine = engine(
            Self.rule { match, then in
                match.share = share
                then.status = 503
            }
        )
        #expect((0..<100).count { _ in decide(&engine) != nil } == expected)
    }

    @Test func `lets the first rule that says a thing decide it`() {
        var engine = engine(
            Self.rule { match, then in
                match.token = "ab"
                then.status = 410
                then.timestamp = 7
            },
            Self.rule { _, then in
                then.status = 503
                then.reason = "Shutdown"
                then.delayMillis = 20
                then.retryAfter = 3
            }
        )
        let both = decide(&engine, "ab")
        #expect(both?.status == 410)
        #expect(both?.reason == nil)
        #expect(both?.timestamp == 7)
        #expect(both?.delayMillis == 20)
        #expect(decide(&engine, "cd")?.reason == "Shutdown")
    }

    @Test func `starts anew with new rules`() {
        var engine = engine(
            Self.rule { match, then in
                match.count = 1
                then.status = 500
            }
        )
        _ = decide(&engine)
        engine.set([], nowMillis: 2000)
        #expect(engine.isEmpty)
    }
}
