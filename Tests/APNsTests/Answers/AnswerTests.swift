import APNs
import Testing

@Suite struct `Answer of APNs` {
    @Test func `is accepted without a reason`() {
        let answer = read(200, "")
        #expect(answer.disposition == .accepted)
        #expect(answer.reason == nil)
        #expect(answer.unregisteredAtMillis == nil)
    }

    @Test func `keeps milliseconds of a device token that is gone`() {
        let answer = read(410, #"{"reason":"Unregistered","timestamp":1454402113123}"#)
        #expect(answer.disposition == .unregistered)
        #expect(answer.reason == .known(.unregistered))
        #expect(answer.unregisteredAtMillis == 1_454_402_113_123)
    }

    @Test func `says that a device token is gone also without a time`() {
        let answer = read(410, #"{"reason":"ExpiredToken"}"#)
        #expect(answer.disposition == .unregistered)
        #expect(answer.unregisteredAtMillis == nil)
    }

    @Test func `keeps its status where the body is missing`() {
        let answer = read(400, "")
        #expect(answer.status == 400)
        #expect(answer.disposition == .rejected)
        #expect(answer.reason == nil)
    }

    @Test func `keeps an unknown reason`() {
        let answer = read(400, #"{"reason":"ReasonOfTomorrow"}"#)
        #expect(answer.disposition == .rejected)
        #expect(answer.reason == .unknown("ReasonOfTomorrow"))
    }

    @Test func `ignores the timestamp of another status`() {
        #expect(read(400, #"{"reason":"BadDeviceToken","timestamp":5}"#).unregisteredAtMillis == nil)
    }

    private func read(_ status: UInt16, _ body: String) -> Answer {
        Array(body.utf8).withUnsafeBytes { Answer(status: status, body: $0, isAppTopic: false) }
    }
}
