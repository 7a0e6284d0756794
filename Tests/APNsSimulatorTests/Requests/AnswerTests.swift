import Testing

@testable import APNsSimulator

struct AnswerTests {
    private func body(_ answer: Answer) -> String {
        var text = TextBuffer(capacity: 16)
        answer.writeBody(&text)
        return text.span.text
    }

    private func faulted(_ verdict: Verdict = .accepted, _ fill: (inout FaultRule.Then) -> Void) -> Answer {
        var fault = FaultRule.Then()
        fill(&fault)
        var answer = Answer(verdict)
        answer.apply(fault, wallMillis: 9)
        return answer
    }

    @Test func `has no body for a 200`() {
        #expect(Answer(.accepted).status == 200)
        #expect(body(Answer(.accepted)) == "")
    }

    @Test func `gives the reason as Apple spells it`() {
        #expect(body(Answer(.rejected(.badCollapseID))) == #"{"reason":"BadCollapseId"}"#)
        let gone = Answer(.rejected(.unregistered, timestampMillis: 1_799_000_000_123))
        #expect(gone.status == 410)
        #expect(body(gone) == #"{"reason":"Unregistered","timestamp":1799000000123}"#)
    }

    @Test(
        arguments: [
            (404, "BadPath"), (405, "MethodNotAllowed"), (410, "Unregistered"), (413, "PayloadTooLarge"),
            (429, "TooManyRequests"), (500, "InternalServerError"), (503, "ServiceUnavailable"),
        ]
    )
    func `completes a status by its usual reason`(status: Int, reason: String) {
        let answer = faulted { $0.status = status }
        #expect(answer.status == status)
        #expect("\(answer.rejection?.reason ?? "")" == reason)
    }

    @Test(arguments: Rejection.allCases)
    func `completes a reason by its status`(rejection: Rejection) {
        let answer = faulted { $0.reason = "\(rejection.reason)" }
        #expect(answer.rejection == rejection)
        #expect(answer.status == rejection.status)
    }

    @Test func `keeps a reason that nobody knows`() {
        let answer = faulted { $0.reason = "Moon\"Phase" }
        #expect(answer.status == 400)
        #expect(body(answer) == #"{"reason":"Moon\"Phase"}"#)
    }

    @Test func `has no body for an empty reason or a status without one`() {
        #expect(
            body(
                faulted {
                    $0.status = 503; $0.reason = ""
                }
            ) == ""
        )
        #expect(body(faulted { $0.status = 418 }) == "")
    }

    @Test func `dates a 410 with the time of the answer unless told`() {
        #expect(faulted { $0.status = 410 }.timestampMillis == 9)
        #expect(
            faulted {
                $0.status = 410; $0.timestamp = 3
            }.timestampMillis == 3
        )
        #expect(faulted { $0.status = 500 }.timestampMillis == nil)
    }

    @Test func `leaves the answer that is due where a fault says nothing of it`() {
        let answer = faulted(.rejected(.badTopic)) { $0.delayMillis = 5 }
        #expect(answer.rejection == .badTopic)
    }

    @Test func `can accept what is due to be refused`() {
        let answer = faulted(.rejected(.badTopic)) { $0.status = 200 }
        #expect(answer.status == 200)
        #expect(answer.rejection == nil)
    }
}
