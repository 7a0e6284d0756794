import Kafka
import Testing

@Suite struct OffsetWatermarkBoundTests {
    @Test(arguments: [(0, false), (1, false), (9, false), (10, true), (11, true)])
    func `is full at the bound`(received: Int, isFull: Bool) {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        _ = track(&watermark, 0..<Int64(received))
        #expect(watermark.span == received)
        #expect(watermark.isFull == isFull)
    }

    @Test func `a bound below one is one`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 0)
        #expect(watermark.isFull == false)
        _ = track(&watermark, [0])
        #expect(watermark.isFull == true)
    }

    @Test func `what is finished counts until the commit is acknowledged`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 4)
        let sequences = track(&watermark, 0..<4)
        for sequence in sequences.values { watermark.finished(sequence: sequence) }
        #expect(watermark.isFull == true)
        let commit = watermark.takeCommit()
        #expect(commit?.metadata == "")
        #expect(watermark.isFull == true)
        watermark.commitAcknowledged()
        #expect(watermark.span == 0)
        #expect(watermark.isFull == false)
    }

    @Test func `what finishes while a commit is in flight is not in it`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        let sequences = track(&watermark, 0..<3)
        watermark.finished(sequence: sequences[0]!)
        _ = watermark.takeCommit()
        watermark.finished(sequence: sequences[1]!)
        watermark.commitAcknowledged()
        #expect(watermark.span == 2)
    }

    @Test func `a failed commit relieves nothing`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        watermark.finished(sequence: track(&watermark, [0])[0]!)
        _ = watermark.takeCommit()
        watermark.commitFailed()
        #expect(watermark.span == 1)
    }

    @Test func `one slow record holds nobody back`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 100)
        _ = track(&watermark, [0])
        for start in stride(from: Int64(1), to: 100_000, by: 90) {
            for sequence in track(&watermark, start..<start + 90).values { watermark.finished(sequence: sequence) }
            #expect(watermark.isFull == false)
            let commit = watermark.takeCommit()
            #expect(commit?.offset == 0)
            #expect(commit?.metadata.contains("held") == false)
            watermark.commitAcknowledged()
            #expect(watermark.span == 1)
        }
    }

    @Test func `says that it is held when too much is unfinished`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 3)
        let sequences = track(&watermark, 0..<3)
        #expect(watermark.takeCommit() == .init(offset: 0, metadata: "v1;;held"))
        watermark.commitAcknowledged()
        #expect(watermark.takeCommit() == nil)
        watermark.finished(sequence: sequences[0]!)
        #expect(watermark.takeCommit() == .init(offset: 1, metadata: ""))
    }

    @Test func `says that it is held when the reader says so`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 10)
        _ = track(&watermark, 0..<2)
        #expect(watermark.takeCommit(isHeld: true)?.metadata == "v1;;held")
        watermark.commitAcknowledged()
        #expect(watermark.takeCommit(isHeld: true) == nil)
        #expect(watermark.takeCommit(isHeld: false)?.metadata == "")
    }

    @Test func `is full at three quarters of the metadata and free again below`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 100_000)
        // Each second record finished: 1,144 runs of two bytes, and 9 for what the gaps might take beyond, are 2,297
        // bytes; three quarters are 2,298.
        let sequences = track(&watermark, 0..<2_400)
        for offset in stride(from: Int64(1), to: 2_288, by: 2) { watermark.finished(sequence: sequences[offset]!) }
        #expect(watermark.payloadBytes == 2_297)
        #expect(watermark.isFull == false)
        watermark.finished(sequence: sequences[2_289]!)
        #expect(watermark.payloadBytes == 2_299)
        #expect(watermark.isFull == true)
        #expect(watermark.takeCommit()?.metadata.hasSuffix(";held") == true)
        watermark.commitAcknowledged()
        for offset in stride(from: Int64(0), to: 100, by: 2) { watermark.finished(sequence: sequences[offset]!) }
        #expect(watermark.isFull == false)
        #expect(watermark.takeCommit()?.metadata.hasSuffix(";held") == false)
    }

    @Test func `what does not fit into the metadata is left out from the end and still counts`() {
        var watermark = OffsetWatermark(committed: 0, spanMax: 100_000)
        let sequences = track(&watermark, 0..<8_000)
        for offset in stride(from: Int64(1), to: 8_000, by: 2) { watermark.finished(sequence: sequences[offset]!) }
        let commit = watermark.takeCommit()
        let metadata = commit?.metadata ?? ""
        #expect(metadata.utf8.count <= FinishedRuns.metadataBytesMax)
        let runs = FinishedRuns(metadata: metadata, base: 0).runs
        #expect(runs.count == 1_533)
        #expect(runs.last == 3_065..<3_066)
        watermark.commitAcknowledged()
        #expect(watermark.span == 4_000 + 4_000 - 1_533)
    }
}
