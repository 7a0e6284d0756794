import EventLoop
import Testing

@testable import Observability

struct CounterTests {
    @Test func `a counter adds up`() {
        let counter = Counter()
        counter.add()
        counter.add(41)
        #expect(counter.count == 42)
    }

    @Test func `a gauge says what was set last`() {
        let gauge = Gauge()
        gauge.set(5)
        gauge.set(-3)
        #expect(gauge.current == -3)
    }

    @Test func `a table counts each index by itself, and nothing outside`() {
        let table = CounterTable(size: 3)
        for index in [-1, 0, 0, 2, 3, Int.max] { table.add(at: index) }
        #expect([table[-1], table[0], table[1], table[2], table[3]] == [0, 2, 0, 1, 0])
        #expect(table.total == 3)
    }

    @Test func `another thread reads what one thread adds, and never less than before`() throws {
        let shared = SharedCounter()
        let writer = try WorkerThread(name: "writer") {
            for _ in 0..<100_000 { shared.counter.add() }
        }
        var last: UInt64 = 0
        while last < 100_000 {
            let count = shared.counter.count
            #expect(count >= last)
            last = count
        }
        writer.join()
        #expect(shared.counter.count == 100_000)
    }
}

private final class SharedCounter: Sendable {
    let counter = Counter()
}
