import Kafka
import Testing

@Suite struct FinishedRunsTests {
    @Test(arguments: [
        ("", []),
        ("v1;", []),
        ("v1;AQE=", [11..<12]),
        ("v1;AQEBAQ==", [11..<12, 13..<14]),
        ("v1;gAGAAQ==", [138..<266]),
    ])
    func `reads run lengths`(metadata: String, runs: [Range<Int64>]) {
        #expect(FinishedRuns(metadata: metadata, base: 10).runs == runs)
    }

    @Test(arguments: [
        "v2;AQE=",  // another version
        "AQE=",  // no version
        "cursor:17\0bin",  // another program's, with a NUL
        "v1;AQE=\0",  // cut off by librdkafka at a NUL
        "v1;AQE",  // no padding
        "v1;AQF=",  // bits that padding has to leave 0
        "v1;A===",
        "v1;AQ E",
        "v1;AQ==",  // a gap without a run
        "v1;AAE=",  // an empty gap
        "v1;AQA=",  // an empty run
        "v1;gQABAQ==",  // not the shortest form
        "v1;gA==",  // a varint that is cut off
        "v1;/////////////////wEB",  // more than 63 bits
        "v1;//////////9///////////9/",  // past the last offset
        "v1;AQE=;held;held",
        "V1;AQE=",
        "v1",
    ])
    func `takes nothing from what is not of its form`(metadata: String) {
        let finished = FinishedRuns(metadata: metadata, base: 10)
        #expect(finished == FinishedRuns())
        #expect(FinishedRuns.finishedCount(inMetadata: metadata) == 0)
    }

    @Test func `tells that a partition is held`() {
        #expect(FinishedRuns(metadata: "v1;;held", base: 0).isHeld)
        #expect(FinishedRuns(metadata: "v1;AQE=;held", base: 0).isHeld)
        #expect(!FinishedRuns(metadata: "v1;AQE=", base: 0).isHeld)
        #expect(!FinishedRuns(metadata: "held", base: 0).isHeld)
    }

    @Test func `counts offsets without knowing the base`() {
        #expect(FinishedRuns.finishedCount(inMetadata: "v1;gAGAAQ==") == 128)
        #expect(FinishedRuns.finishedCount(inMetadata: "v1;AQEBAQ==;held") == 2)
        #expect(FinishedRuns.finishedCount(inMetadata: "") == 0)
    }

    @Test func `takes nothing when nothing is committed`() {
        #expect(FinishedRuns(metadata: "v1;AQE=", base: -1001) == FinishedRuns())
    }

    @Test(arguments: [(1_023, true), (1_024, false)])
    func `takes nothing from more than a broker stores`(groups: Int, isRead: Bool) {
        // Each pair of groups is three runs of one offset behind gaps of one.
        let metadata = "v1;" + String(repeating: "AQEB", count: groups / 2 * 2)
        #expect((metadata.utf8.count <= FinishedRuns.metadataBytesMax) == isRead)
        #expect(FinishedRuns(metadata: metadata, base: 0).runs.isEmpty != isRead)
    }
}
