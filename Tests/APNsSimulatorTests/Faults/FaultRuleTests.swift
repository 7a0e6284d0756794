import Testing

@testable import APNsSimulator

struct FaultRuleTests {
    @Test func `reads all that a rule can say`() throws {
        let text = """
            {"match":{"token":"ab","share":0.5,"count":3,"afterSeconds":1,"forSeconds":2.5},"then":{"status":429,\
            "reason":"TooManyRequests","retryAfter":2,"timestamp":5,"delayMillis":100,"refuse":true,\
            "goaway":{"unanswered":4,"reason":"Shutdown"},"close":true,"blackHole":true,\
            "settings":{"maxConcurrentStreams":7,"initialWindowSize":8}}}
            {"then":{"close":true}}
            """
        let rules = try FaultRule.read(Array(text.utf8))
        let expected = FaultRule { match, then in
            match.token = "ab"
            match.share = 0.5
            match.count = 3
            match.afterSeconds = 1
            match.forSeconds = 2.5
            then.status = 429
            then.reason = "TooManyRequests"
            then.retryAfter = 2
            then.timestamp = 5
            then.delayMillis = 100
            then.refuse = true
            then.goaway = FaultRule.GoAway(unanswered: 4, reason: "Shutdown")
            then.close = true
            then.blackHole = true
            then.settings = FaultRule.Settings()
            then.settings?.maxConcurrentStreams = 7
            then.settings?.initialWindowSize = 8
        }
        #expect(rules == [expected, FaultRule { _, then in then.close = true }])
    }

    @Test func `reads an array too`() throws {
        let rules = try FaultRule.read(Array(#" [{"match":{},"then":{"refuse":true}}]"#.utf8))
        #expect(rules == [FaultRule { _, then in then.refuse = true }])
    }

    @Test func `reads nothing as no rules`() throws {
        #expect(try FaultRule.read([]) == [])
    }

    @Test(
        arguments: [
            ("{}", "faults, line 1: then is missing"), ("nonsense", "faults, line 1: this is not JSON"),
            (#"{"match":{"count":1.5},"then":{}}"#, "faults, line 1: this is not JSON, or a number is out of range"),
            (#"{"then":{"settings":{"maxConcurrentStreams":-1}}}"#, "faults, line 1: this is not JSON, or a number"),
            (#"{"then":{"stauts":500}}"#, "faults, line 1: then.stauts: unknown key, expected one of status"),
            (#"{"match":{"tokens":"a"},"then":{}}"#, "faults, line 1: match.tokens: unknown key"),
            (#"{"when":{},"then":{}}"#, "faults, line 1: when: unknown key"),
            (#"{"match":{"share":2},"then":{}}"#, "faults, line 1: match.share: expected 0...1"),
            (#"{"match":{"count":-1},"then":{}}"#, "faults, line 1: match.count: expected 0 or more"),
            (#"{"match":{"afterSeconds":1e300},"then":{}}"#, "faults, line 1: match.afterSeconds: expected"),
            (#"{"then":{"status":99}}"#, "faults, line 1: then.status: expected 200...599"),
            (#"{"then":{"delayMillis":-1}}"#, "faults, line 1: then.delayMillis: expected"),
            (#"{"then":{"retryAfter":-1}}"#, "faults, line 1: then.retryAfter: expected 0 or more"),
            (#"{"then":{"timestamp":-1}}"#, "faults, line 1: then.timestamp: expected 0 or more"),
            (#"{"then":{"goaway":{"unanswered":-1}}}"#, "faults, line 1: then.goaway.unanswered: expected 0"),
            (
                #"{"then":{"settings":{"initialWindowSize":2147483648}}}"#,
                "faults, line 1: then.settings.initialWindowSize: expected 0...2147483647"
            ),
            (#"{"then":{"close":"yes"}}"#, "faults, line 1: then.close: expected Bool"),
            (#"[{"then":{"close":1}}]"#, "faults: "),
        ]
    )
    func `says what is wrong and where`(text: String, expected: String) {
        #expect {
            try FaultRule.read(Array(text.utf8))
        } throws: { "\($0)".hasPrefix(expected) }
    }
}
