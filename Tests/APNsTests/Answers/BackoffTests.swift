import APNs
import Testing

@Suite struct `Backoff of a push` {
    private let backoff = Backoff(baseSeconds: 1, maxSeconds: 60)

    @Test(
        arguments: [
            (1, 1_000), (2, 2_000), (3, 4_000), (6, 32_000), (7, 60_000), (8, 60_000), (100, 60_000), (Int.max, 60_000),
            (0, 1_000), (-5, 1_000),
        ] as [(Int, Int64)]
    )
    func `doubles its longest wait up to the maximum`(attempt: Int, expected: Int64) {
        #expect(backoff.ceilingMillis(attempt: attempt) == expected)
    }

    @Test func `waits anything from nothing to the longest`() {
        #expect(backoff.delayMillis(attempt: 2, retryAfterSeconds: -1, random: 0) == 0)
        #expect(backoff.delayMillis(attempt: 2, retryAfterSeconds: -1, random: 2_000) == 2_000)
        #expect(backoff.delayMillis(attempt: 2, retryAfterSeconds: -1, random: 2_001) == 0)
        #expect((0...2_000).contains(backoff.delayMillis(attempt: 2, retryAfterSeconds: -1, random: .max)))
    }

    @Test func `waits at least as long as the answer asks, and not all at one instant`() {
        #expect(backoff.delayMillis(attempt: 5, retryAfterSeconds: 2, random: 0) == 2_000)
        #expect(backoff.delayMillis(attempt: 5, retryAfterSeconds: 2, random: 1_000) == 3_000)
        #expect(backoff.delayMillis(attempt: 1, retryAfterSeconds: 900, random: 0) == 900_000)
        #expect(backoff.delayMillis(attempt: 1, retryAfterSeconds: 0, random: 500) == 500)
    }

    @Test func `follows no request for longer than a day`() {
        #expect(backoff.delayMillis(attempt: 1, retryAfterSeconds: .max, random: 0) == 86_400_000)
    }

    @Test(arguments: [(0, 0), (-1, -1), (1e300, 1e300), (100, 1), (0.0001, 60)])
    func `survives settings that make no sense`(base: Double, max: Double) {
        let backoff = Backoff(baseSeconds: base, maxSeconds: max)
        for attempt in [Int.min, 0, 1, 30, Int.max] {
            #expect((1...86_400_000).contains(backoff.ceilingMillis(attempt: attempt)))
        }
    }
}
