import Testing

@testable import Pipeline

struct KafkaErrorCountsTests {
    private func counted(_ codes: [Int32]) -> [String: UInt64] {
        let counts = KafkaErrorCounts()
        for code in codes { counts.count(code) }
        var sum: [String: UInt64] = [:]
        counts.add(to: &sum)
        #expect(counts.total == UInt64(codes.count))
        return sum
    }

    @Test func `counts by librdkafka's name`() {
        #expect(counted([-187, -187, 16]) == ["_ALL_BROKERS_DOWN": 2, "NOT_COORDINATOR": 1])
    }

    @Test func `counts codes beyond all that there are as other`() {
        #expect(counted([.min, .max, 256, -256]) == ["other": 4])
    }
}
