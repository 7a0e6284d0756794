import Testing

@testable import Observability

struct HistogramTests {
    private func counts(_ millis: [Int64]) -> Histogram.Snapshot {
        let histogram = Histogram()
        for millis in millis { histogram.observe(millis: millis) }
        var snapshot = Histogram.Snapshot()
        snapshot.add(histogram)
        return snapshot
    }

    @Test(arguments: Array(Histogram.boundsMillis.enumerated().map { ($0, $1) }))
    func `a bound belongs to its own bucket, and one more to the next`(index: Int, bound: Int64) {
        #expect(counts([bound]).counts.firstIndex(of: 1) == index)
        #expect(counts([bound + 1]).counts.firstIndex(of: 1) == index + 1)
    }

    @Test func `no time and less than none count in the first bucket`() {
        let snapshot = counts([0, -1, .min])
        #expect(snapshot.counts.first == 3)
        #expect(snapshot.sumMillis == 0)
    }

    @Test func `what is beyond all bounds counts in the last bucket`() {
        let snapshot = counts([3_600_001, 90_000_000])
        #expect(snapshot.counts.last == 2)
        #expect(snapshot.sumMillis == 93_600_001)
    }

    @Test(arguments: [(Int64.min, Int64.max), (.max, .min), (.min, 1_800_000_000_000), (1, .max), (0, .max)])
    func `no number spoils the sum`(start: Int64, end: Int64) {
        let histogram = Histogram()
        histogram.observe(fromMillis: start, toMillis: end)
        histogram.observe(fromMillis: 100, toMillis: 107)
        var snapshot = Histogram.Snapshot()
        snapshot.add(histogram)
        #expect(snapshot.counts.reduce(0, +) == 2)
        #expect(snapshot.sumMillis >= 7 && snapshot.sumMillis <= UInt64(Histogram.millisMax) + 7)
    }

    @Test func `histograms of several threads add up`() {
        let first = Histogram()
        let second = Histogram()
        first.observe(millis: 7)
        second.observe(millis: 7)
        second.observe(millis: 70)
        var sum = Histogram.Snapshot()
        sum.add(first)
        sum.add(second)
        #expect(sum == counts([7, 7, 70]))
    }
}
