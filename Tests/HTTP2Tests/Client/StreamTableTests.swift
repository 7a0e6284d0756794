import Testing

@testable import HTTP2

@Suite struct StreamTableTests {
    private let nothing = UnsafeRawBufferPointer(start: nil, count: 0)

    @Test func `keeps requests in the order of opening whatever ends between`() {
        var table = StreamTable(capacity: 2)
        let slots = (0..<5).map { table.open(tag: UInt32($0), body: nothing, deadlineMillis: Int64($0)) }
        table.close(slots[0])
        table.close(slots[2])
        table.close(slots[4])
        #expect(table.openCount == 2)
        #expect(table.oldest == slots[1])
        #expect(table.newest == slots[3])
        #expect(table[slots[1]].next == slots[3])
        #expect(table[slots[3]].previous == slots[1])
        table.close(slots[3])
        table.close(slots[1])
        #expect((table.oldest, table.newest, table.openCount) == (-1, -1, 0))
    }

    @Test func `uses a released slot again and no closed one`() {
        var table = StreamTable(capacity: 1)
        let first = table.open(tag: 1, body: nothing, deadlineMillis: 0)
        table.close(first)
        let second = table.open(tag: 2, body: nothing, deadlineMillis: 0)
        #expect(second != first)
        table.release(first)
        #expect(table.open(tag: 3, body: nothing, deadlineMillis: 0) == first)
        #expect(table[second].tag == 2)
    }

    @Test func `forgets the answer of the slot's last request`() {
        var table = StreamTable()
        let slot = table.open(tag: 1, body: nothing, deadlineMillis: 0)
        table[slot].status = 400
        table[slot].retryAfterSeconds = 9
        append(&table, slot, 300)
        table.close(slot)
        table.release(slot)
        #expect(table.open(tag: 2, body: nothing, deadlineMillis: 0) == slot)
        #expect((table[slot].status, table[slot].retryAfterSeconds) == (0, -1))
        #expect(table.response(slot).isEmpty)
    }

    @Test(arguments: [0, 1, 255, 256, 257, 8_191, 8_192, 8_193, 20_000])
    func `keeps a response of any size up to 8 KiB`(bytes: Int) {
        var table = StreamTable()
        let slot = table.open(tag: 1, body: nothing, deadlineMillis: 0)
        append(&table, slot, bytes)
        #expect(table.response(slot).count == min(bytes, 8_192))
        #expect(table.response(slot).allSatisfy { $0 == 7 })
    }

    @Test func `joins a response that comes in parts`() {
        var table = StreamTable()
        let slot = table.open(tag: 1, body: nothing, deadlineMillis: 0)
        for part in 0..<100 { append(&table, slot, 100, UInt8(part)) }
        let kept = Array(table.response(slot))
        #expect(kept.count == 8_192)
        #expect(kept == (0..<100).flatMap { [UInt8](repeating: UInt8($0), count: 100) }.prefix(8_192).map(\.self))
    }

    private func append(_ table: inout StreamTable, _ slot: Int32, _ count: Int, _ byte: UInt8 = 7) {
        [UInt8](repeating: byte, count: count).withUnsafeBytes { table.appendResponse(slot, $0) }
    }
}
