import Testing

@testable import HTTP2

@Suite struct ConnectionLivenessTests {
    private static var settings: ClientSettings {
        var settings = ClientSettings()
        settings.silentMillis = 100
        settings.idleMillis = 1_000
        settings.pingAnswerMillis = 50
        return settings
    }

    private var liveness = ConnectionLiveness(settings, nowMillis: 0)

    @Test(arguments: [(true, Int64(100)), (false, 1_000)])
    mutating func `asks a quiet peer at the bound and not before`(isBusy: Bool, bound: Int64) {
        #expect(liveness.dueMillis(isBusy: isBusy) == bound)
        #expect(liveness.next(nowMillis: bound - 1, isBusy: isBusy) == .none)
        #expect(liveness.next(nowMillis: bound, isBusy: isBusy) == .ping)
        #expect(liveness.next(nowMillis: bound, isBusy: isBusy) == .none)
    }

    @Test mutating func `gives up when a ping is not answered in time`() {
        #expect(liveness.next(nowMillis: 100, isBusy: true) == .ping)
        #expect(liveness.dueMillis(isBusy: true) == 150)
        #expect(liveness.next(nowMillis: 149, isBusy: true) == .none)
        #expect(liveness.next(nowMillis: 150, isBusy: true) == .giveUp)
    }

    @Test mutating func `takes any byte for an answer`() {
        #expect(liveness.next(nowMillis: 100, isBusy: true) == .ping)
        liveness.heard(nowMillis: 149)
        #expect(liveness.next(nowMillis: 150, isBusy: true) == .none)
        #expect(liveness.dueMillis(isBusy: true) == 249)
    }

    @Test mutating func `counts silence from the first request on an idle connection`() {
        liveness.becameBusy(nowMillis: 900)
        #expect(liveness.dueMillis(isBusy: true) == 1_000)
        #expect(liveness.next(nowMillis: 999, isBusy: true) == .none)
    }

    @Test mutating func `asks once after a long standstill and waits for the answer`() {
        #expect(liveness.next(nowMillis: 500_000, isBusy: true) == .ping)
        #expect(liveness.dueMillis(isBusy: true) == 500_050)
    }

    @Test mutating func `waits long when the last request has ended`() {
        liveness.heard(nowMillis: 10)
        #expect(liveness.dueMillis(isBusy: false) == 1_010)
    }

    @Test mutating func `asks at once when a request got no answer in time`() {
        liveness.becameBusy(nowMillis: 500)
        liveness.missedAnswer()
        #expect(liveness.next(nowMillis: 520, isBusy: false) == .ping)
        // Further requests do not put its end off.
        liveness.becameBusy(nowMillis: 530)
        liveness.missedAnswer()
        #expect(liveness.dueMillis(isBusy: true) == 570)
        #expect(liveness.next(nowMillis: 570, isBusy: true) == .giveUp)
    }

    @Test mutating func `trusts a peer again that has been heard`() {
        liveness.missedAnswer()
        liveness.heard(nowMillis: 10)
        #expect(liveness.dueMillis(isBusy: true) == 110)
    }
}
