import Events
import Observability
import Testing

@testable import Pipeline

struct IntakeTallyTests {
    @Test func `counts a transaction once it is committed`() {
        let metrics = IntakeMetrics()
        var tally = IntakeTally()
        tally.event(.locationUpdated, .pushed)
        tally.pushed(3, invalidTokens: 1, timestampMillis: 1_000)
        tally.event(nil, .deadLettered)
        tally.deadLetter(.unknownApp)
        #expect(metrics.events.total == 0)
        tally.commit(to: metrics, wallMillis: 1_500)
        #expect(metrics.events[IntakeMetrics.place(.locationUpdated, .pushed)] == 1)
        #expect(metrics.events[IntakeMetrics.place(nil, .deadLettered)] == 1)
        #expect(metrics.events.total == 2)
        #expect(metrics.deadLetters.total == 1)
        #expect(metrics.pushesWritten.count == 3)
        #expect(metrics.transactionsCommitted.count == 1)
        tally.commit(to: metrics, wallMillis: 2_000)
        #expect(metrics.events.total == 2)
        #expect(metrics.pushesWritten.count == 3)
    }

    @Test func `forgets a transaction that is aborted`() {
        let metrics = IntakeMetrics()
        var tally = IntakeTally()
        tally.event(.campaignScheduled, .expired)
        tally.expired()
        tally.removeAll()
        tally.commit(to: metrics, wallMillis: 0)
        #expect(metrics.events.total == 0)
        var receipts: [UInt64] = []
        metrics.receipts.add(to: &receipts)
        #expect(receipts.allSatisfy { $0 == 0 })
    }

    @Test func `each event and outcome has a place of its own`() {
        let types = EventType.allCases.map(Optional.some) + [nil]
        let places = IntakeMetrics.Outcome.allCases.flatMap { outcome in
            types.map { IntakeMetrics.place($0, outcome) }
        }
        #expect(places.sorted() == Array(0..<IntakeMetrics().events.size))
    }
}
