import Testing

@testable import Pipeline

@Suite struct RetryQueueTests {
    @Test func `gives nothing before its time`() {
        var queue = RetryQueue(capacity: 4)
        queue.insert(slot: 1, dueMillis: 100)
        #expect(queue.nextDueMillis == 100)
        #expect(queue.removeDue(nowMillis: 99) == nil)
        #expect(queue.removeDue(nowMillis: 100) == 1)
        #expect(queue.removeDue(nowMillis: 1_000) == nil)
        #expect(queue.nextDueMillis == nil)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `gives every push once and the earliest first`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var queue = RetryQueue(capacity: 500)
        let dues = (0..<500).map { _ in Int64(random.next() % 1_000) }
        for (slot, due) in dues.enumerated() { queue.insert(slot: Int32(slot), dueMillis: due) }
        var seen: Set<Int32> = []
        var last: Int64 = -1
        while let slot = queue.removeDue(nowMillis: 1_000) {
            #expect(dues[Int(slot)] >= last)
            last = dues[Int(slot)]
            #expect(seen.insert(slot).inserted)
        }
        #expect(seen.count == 500)
    }
}
