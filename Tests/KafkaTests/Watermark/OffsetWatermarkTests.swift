import Kafka
import Testing

/// Makes records received; fails where one is finished already.
func track(_ watermark: inout OffsetWatermark, _ offsets: some Sequence<Int64>) -> [Int64: UInt32] {
    var sequences: [Int64: UInt32] = [:]
    for offset in offsets {
        guard case .track(let sequence) = watermark.received(offset) else {
            Issue.record("\(offset) is finished already")
            continue
        }
        sequences[offset] = sequence
    }
    return sequences
}

@Suite struct OffsetWatermarkTests {
    @Test func `commits nothing before anything is known`() {
        var watermark = OffsetWatermark(committed: OffsetCommit.none, spanMax: 10)
        #expect(watermark.takeCommit() == nil)
        #expect(watermark.committable == nil)
    }

    @Test func `commits nothing when nothing is new`() {
        var watermark = OffsetWatermark(committed: 5, spanMax: 10)
        #expect(watermark.takeCommit() == nil)
        _ = track(&watermark, [5, 6])
        #expect(watermark.takeCommit() == nil)
    }

    @Test func `commits the start of a partition in which nothing was committed`() {
        var watermark = OffsetWatermark(committed: OffsetCommit.none, spanMax: 10)
        _ = track(&watermark, [100])
        #expect(watermark.takeCommit()?.offset == 100)
    }

    @Test func `commits the real start where retention has passed the committed offset`() {
        var watermark = OffsetWatermark(committed: 5, spanMax: 10)
        _ = track(&watermark, [90])
        #expect(watermark.takeCommit()?.offset == 90)
    }

    @Test func `commits the offset after the last when all is finished`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        let sequences = track(&watermark, 0..<3)
        for offset: Int64 in [2, 0, 1] { watermark.finished(sequence: sequences[offset]!) }
        #expect(watermark.takeCommit() == .init(offset: 3, metadata: ""))
        #expect(watermark.unfinished == 0)
    }

    @Test func `never passes an unfinished record`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        let sequences = track(&watermark, 0..<4)
        watermark.finished(sequence: sequences[1]!)
        watermark.finished(sequence: sequences[3]!)
        let commit = watermark.takeCommit()
        #expect(commit?.offset == 0)
        #expect(FinishedRuns(metadata: commit?.metadata ?? "", base: 0).runs == [1..<2, 3..<4])
    }

    @Test func `takes a gap between records for finished`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        let sequences = track(&watermark, [3, 10, 20, 21])
        watermark.finished(sequence: sequences[3]!)
        #expect(watermark.committable == 10)
        watermark.finished(sequence: sequences[20]!)
        let commit = watermark.takeCommit()
        #expect(commit?.offset == 10)
        #expect(FinishedRuns(metadata: commit?.metadata ?? "", base: 10).runs == [11..<21])
    }

    @Test func `moves to the end of the partition past markers`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        let sequences = track(&watermark, [0])
        watermark.reachedEnd(at: 2)
        #expect(watermark.takeCommit() == nil)
        watermark.finished(sequence: sequences[0]!)
        #expect(watermark.takeCommit()?.offset == 2)
    }

    @Test func `moves to the end when the event comes after all is finished`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        watermark.finished(sequence: track(&watermark, [0])[0]!)
        #expect(watermark.takeCommit()?.offset == 1)
        watermark.commitAcknowledged()
        watermark.reachedEnd(at: 2)
        #expect(watermark.takeCommit()?.offset == 2)
        watermark.commitAcknowledged()
        watermark.reachedEnd(at: 2)
        #expect(watermark.takeCommit() == nil)
    }

    @Test func `commits the end of an empty partition`() {
        var watermark = OffsetWatermark(committed: OffsetCommit.none, spanMax: 10)
        watermark.reachedEnd(at: 0)
        #expect(watermark.takeCommit()?.offset == 0)
    }

    @Test func `does not go back for an end that is behind`() {
        var watermark = OffsetWatermark(committed: 50, spanMax: 10)
        watermark.reachedEnd(at: 10)
        #expect(watermark.committable == 50)
    }

    @Test func `has one commit in flight`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        let sequences = track(&watermark, 0..<2)
        watermark.finished(sequence: sequences[0]!)
        #expect(watermark.takeCommit()?.offset == 1)
        #expect(watermark.hasCommitInFlight == true)
        watermark.finished(sequence: sequences[1]!)
        #expect(watermark.takeCommit() == nil)
        watermark.commitAcknowledged()
        #expect(watermark.takeCommit()?.offset == 2)
    }

    @Test func `commits again what failed`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        watermark.finished(sequence: track(&watermark, [0])[0]!)
        #expect(watermark.takeCommit()?.offset == 1)
        watermark.commitFailed()
        #expect(watermark.takeCommit()?.offset == 1)
        watermark.commitAcknowledged()
        #expect(watermark.takeCommit() == nil)
    }

    @Test func `an answer without a commit changes nothing`() {
        var watermark = OffsetWatermark(committed: 4, spanMax: 10)
        watermark.commitAcknowledged()
        watermark.commitFailed()
        #expect(watermark.takeCommit() == nil)
        #expect(watermark.span == 0)
    }
}
