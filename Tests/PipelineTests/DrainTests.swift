import Testing

@testable import Pipeline

@Suite struct DrainTests {
    private let limits = Drain.Limits(streamsMillis: 100, receiptsMillis: 50, commitMillis: 20)

    private func work(_ streams: Int, _ receipts: Int, commit: Bool = false) -> Drain.Work {
        Drain.Work(openStreams: streams, unacknowledgedReceipts: receipts, isCommitInFlight: commit)
    }

    @Test func `with nothing under way it commits at once and is done when that is answered`() {
        var drain = Drain(limits: limits, nowMillis: 0)
        #expect(drain.next(work(0, 0), nowMillis: 0) == .commit)
        #expect(drain.next(work(0, 0, commit: true), nowMillis: 5) == .wait)
        #expect(drain.next(work(0, 0), nowMillis: 6) == .done)
    }

    @Test func `waits for streams and then for the receipts of what finished`() {
        var drain = Drain(limits: limits, nowMillis: 0)
        #expect(drain.next(work(3, 1), nowMillis: 10) == .wait)
        #expect(drain.next(work(0, 4), nowMillis: 60) == .wait)
        #expect(drain.next(work(0, 1), nowMillis: 100) == .wait)
        #expect(drain.next(work(0, 0), nowMillis: 105) == .commit)
    }

    @Test func `resets streams that outlast their time and then still waits for receipts`() {
        var drain = Drain(limits: limits, nowMillis: 0)
        #expect(drain.next(work(3, 1), nowMillis: 100) == .resetStreams)
        #expect(drain.next(work(0, 1), nowMillis: 149) == .wait)
        #expect(drain.next(work(0, 1), nowMillis: 150) == .commit)
    }

    @Test func `a commit in flight is awaited before the last one`() {
        var drain = Drain(limits: limits, nowMillis: 0)
        #expect(drain.next(work(0, 0, commit: true), nowMillis: 0) == .wait)
        #expect(drain.next(work(0, 0), nowMillis: 10) == .commit)
    }

    @Test func `a commit that is never answered holds nobody`() {
        var drain = Drain(limits: limits, nowMillis: 0)
        #expect(drain.next(work(0, 0), nowMillis: 0) == .commit)
        #expect(drain.next(work(0, 0, commit: true), nowMillis: 19) == .wait)
        #expect(drain.next(work(0, 0, commit: true), nowMillis: 20) == .done)
        #expect(drain.next(work(0, 0, commit: true), nowMillis: 21) == .done)
    }

    @Test(arguments: [0, 1, 100, 1_000, 20_000, 300_000] as [Int64])
    func `a shutdown never outlasts its grace`(grace: Int64) {
        let limits = Drain.Limits.shutdown(graceMillis: grace)
        #expect(limits.streamsMillis >= 0)
        #expect(limits.streamsMillis + limits.receiptsMillis + limits.commitMillis <= grace)
        #expect(limits.streamsMillis >= grace / 2)
    }
}
