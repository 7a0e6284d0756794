import Kafka
import Testing

@Suite struct OffsetWatermarkRestartTests {
    /// Metadata with these runs of finished offsets behind a base.
    private func metadata(finished: Set<Int64>, of all: Range<Int64>) -> String {
        var watermark = OffsetWatermark(committed: all.lowerBound, spanMax: 100_000)
        let sequences = track(&watermark, all)
        for offset in finished { watermark.finished(sequence: sequences[offset]!) }
        return watermark.takeCommit()?.metadata ?? ""
    }

    @Test func `skips what was finished before`() {
        let metadata = metadata(finished: [11, 12, 15], of: 10..<17)
        var watermark = OffsetWatermark(committed: 10, metadata: metadata, spanMax: 100)
        var skipped: [Int64] = []
        for offset: Int64 in 10..<20 where watermark.received(offset) == .alreadyFinished { skipped.append(offset) }
        #expect(skipped == [11, 12, 15])
        #expect(watermark.unfinished == 7)
        #expect(watermark.span == 7)
    }

    @Test func `keeps what was finished before in its commits until it has come again`() {
        var watermark = OffsetWatermark(
            committed: 10,
            metadata: metadata(finished: [11, 12, 15], of: 10..<17),
            spanMax: 100
        )
        watermark.finished(sequence: track(&watermark, [10])[10]!)
        let commit = watermark.takeCommit()
        #expect(commit?.offset == 13)
        #expect(FinishedRuns(metadata: commit?.metadata ?? "", base: 13).runs == [15..<16])
    }

    @Test func `joins what was finished before and since`() {
        var watermark = OffsetWatermark(
            committed: 10,
            metadata: metadata(finished: [12, 15], of: 10..<17),
            spanMax: 100
        )
        let sequences = track(&watermark, [10, 11])
        #expect(watermark.received(12) == .alreadyFinished)
        watermark.finished(sequence: sequences[11]!)
        let commit = watermark.takeCommit()
        #expect(commit?.offset == 10)
        #expect(FinishedRuns(metadata: commit?.metadata ?? "", base: 10).runs == [11..<13, 15..<16])
    }

    @Test func `skips over what was finished and is gone`() {
        var watermark = OffsetWatermark(
            committed: 10,
            metadata: metadata(finished: [12, 15], of: 10..<17),
            spanMax: 100
        )
        _ = track(&watermark, [10, 14])
        #expect(watermark.received(15) == .alreadyFinished)
        _ = track(&watermark, [16])
    }

    @Test(arguments: ["cur:17\0bin", "v2;AQE=", "v1;AQE", "\u{1}\u{2}"])
    func `metadata of another kind finishes nothing`(metadata: String) {
        var watermark = OffsetWatermark(committed: 10, metadata: metadata, spanMax: 100)
        let sequences = track(&watermark, 10..<20)
        #expect(sequences.count == 10)
        watermark.finished(sequence: sequences[10]!)
        #expect(watermark.takeCommit() == .init(offset: 11, metadata: ""))
    }

    @Test func `a full metadata does not keep the partition from being read again`() {
        let finished = Set(stride(from: Int64(1), to: 3_000, by: 2))
        let metadata = metadata(finished: finished, of: 0..<3_000)
        var watermark = OffsetWatermark(committed: 0, metadata: metadata, spanMax: 100_000)
        #expect(watermark.isFull == false)
        var open: [UInt32] = []
        for offset: Int64 in 0..<3_000 {
            if watermark.isFull {
                for sequence in open { watermark.finished(sequence: sequence) }
                open = []
            }
            #expect(watermark.isFull == false)
            if case .track(let sequence) = watermark.received(offset) { open.append(sequence) }
        }
        for sequence in open { watermark.finished(sequence: sequence) }
        #expect(watermark.committable == 3_000)
    }

    @Test func `begins anew where the topic was made anew`() {
        var watermark = OffsetWatermark(
            committed: 1_000,
            metadata: metadata(finished: [1_001], of: 1_000..<1_003),
            spanMax: 100
        )
        let sequences = track(&watermark, [0, 1])
        watermark.finished(sequence: sequences[0]!)
        #expect(watermark.takeCommit() == .init(offset: 1, metadata: ""))
    }

    @Test func `forgets what is in flight at a reset, and takes its end well`() {
        var watermark = OffsetWatermark(committed: 10, spanMax: 100)
        let old = track(&watermark, 10..<13)
        watermark.finished(sequence: old[10]!)
        #expect(watermark.takeCommit()?.offset == 11)
        let new = track(&watermark, [5, 6])
        #expect(watermark.unfinished == 2)
        for offset: Int64 in [11, 12] { watermark.finished(sequence: old[offset]!) }
        #expect(watermark.unfinished == 2)
        #expect(watermark.takeCommit() == nil, "one is in flight")
        watermark.commitAcknowledged()
        #expect(watermark.takeCommit()?.offset == 5)
        watermark.commitAcknowledged()
        for sequence in new.values { watermark.finished(sequence: sequence) }
        #expect(watermark.takeCommit() == .init(offset: 7, metadata: ""))
    }

    @Test func `the same record again is a reset`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 100)
        _ = track(&watermark, 0..<3)
        _ = track(&watermark, [2])
        #expect(watermark.committable == 2)
    }
}
