import Testing

@testable import HTTP2

@Suite struct EventQueueTests {
    @Test func `gives events back in order while it grows and wraps`() {
        var queue = EventQueue(capacity: 4)
        var (next, expected) = (Int32(0), Int32(0))
        for round in 1...20 {
            for _ in 0..<round {
                queue.append(EventQueue.Entry(kind: .response, slot: next))
                next += 1
            }
            for _ in 0..<(round / 2) {
                #expect(queue.removeFirst()?.slot == expected)
                expected += 1
            }
        }
        #expect(queue.count == Int(next - expected))
        while let entry = queue.removeFirst() {
            #expect(entry.slot == expected)
            expected += 1
        }
        #expect(expected == next)
    }
}
