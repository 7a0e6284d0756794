import Kafka
import Testing

/// A generator whose run can be repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// What the watermark has to do, as sets of offsets.
private struct Model {
    var received: [Int64] = []
    var finished: Set<Int64> = []
    var position: Int64
    private var done = 0

    init(position: Int64) { self.position = position }

    var committable: Int64 {
        mutating get {
            while done < received.count, finished.contains(received[done]) { done += 1 }
            return done < received.count ? received[done] : position
        }
    }

    /// What was received from the committable offset on.
    var open: ArraySlice<Int64> { received[done...] }
}

@Suite struct OffsetWatermarkModelTests {
    @Test(arguments: 1...40)
    func `agrees with a naive model in random order with gaps`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = Int64.random(in: 0..<1_000, using: &random)
        var watermark = OffsetWatermark(committed: start, spanMax: 1_000_000)
        var model = Model(position: start)
        var open: [(Int64, UInt32)] = []
        var lastCommitted = start
        let burst = Int.random(in: 1...40, using: &random)
        for _ in 0..<800 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                for _ in 0..<burst {
                    let offset = model.position + (Int.random(in: 0..<4, using: &random) == 0 ? 3 : 0)
                    guard case .track(let sequence) = watermark.received(offset) else {
                        Issue.record("skipped")
                        return
                    }
                    open.append((offset, sequence))
                    model.received.append(offset)
                    model.position = offset + 1
                }
            case 3..<8:
                for _ in 0..<burst where !open.isEmpty {
                    // Mostly old ones, as in life.
                    let limit = Bool.random(using: &random) ? min(5, open.count) : open.count
                    let (offset, sequence) = open.remove(at: Int.random(in: 0..<limit, using: &random))
                    watermark.finished(sequence: sequence)
                    model.finished.insert(offset)
                }
            case 8:
                model.position += 1
                watermark.reachedEnd(at: model.position)
            default:
                let payloadMax = watermark.payloadBytes
                guard let commit = watermark.takeCommit() else { continue }
                #expect(commit.offset == model.committable)
                check(commit, model, payloadMax: payloadMax)
                #expect(commit.offset >= lastCommitted)
                if Bool.random(using: &random) {
                    watermark.commitAcknowledged()
                    lastCommitted = commit.offset
                } else {
                    watermark.commitFailed()
                }
            }
            #expect(watermark.committable == model.committable)
            #expect(watermark.unfinished == open.count)
        }
        for (_, sequence) in open { watermark.finished(sequence: sequence) }
        #expect(watermark.committable == model.position)
        #expect(watermark.payloadBytes == 0)
    }

    /// Each received offset beyond the commit is named as finished exactly if it is, as far as the metadata goes.
    private func check(_ commit: OffsetWatermark.Commit, _ model: Model, payloadMax: Int) {
        #expect(commit.metadata.utf8.count <= FinishedRuns.metadataBytesMax)
        let base64 = commit.metadata.dropFirst(3).prefix { $0 != ";" && $0 != "=" }
        #expect(base64.utf8.count * 3 / 4 <= payloadMax)
        let runs = FinishedRuns(metadata: commit.metadata, base: commit.offset).runs
        let isCut = payloadMax >= 3_000
        var index = 0
        for offset in model.open {
            while index < runs.count, runs[index].upperBound <= offset { index += 1 }
            if isCut, index == runs.count { break }
            let isNamed = index < runs.count && runs[index].contains(offset)
            // A macro for each would take most of the time.
            if isNamed != model.finished.contains(offset) { Issue.record("\(offset) in \(commit)") }
        }
    }

    @Test(arguments: 1...40)
    func `repeats after a kill exactly what was not acknowledged`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var finished: Set<Int64> = []
        var committed = OffsetWatermark.Commit(offset: 0, metadata: "")
        let end: Int64 = 3_000
        // Lives that end by a kill at a random moment; each begins from the commit that was acknowledged last.
        for _ in 0..<6 {
            var watermark = OffsetWatermark(committed: committed.offset, metadata: committed.metadata, spanMax: 300)
            var open: [(Int64, UInt32)] = []
            var sinceCommit: Set<Int64> = []
            var next = committed.offset
            for _ in 0..<Int.random(in: 1..<400, using: &random) {
                for _ in 0..<10 where next < end && !watermark.isFull {
                    switch watermark.received(next) {
                    case .track(let sequence): open.append((next, sequence))
                    case .alreadyFinished: #expect(finished.contains(next))
                    }
                    next += 1
                }
                for _ in 0..<10 where open.count > 1 {
                    let (offset, sequence) = open.remove(at: Int.random(in: 0..<open.count, using: &random))
                    #expect(finished.insert(offset).inserted || !sinceCommit.contains(offset))
                    sinceCommit.insert(offset)
                    watermark.finished(sequence: sequence)
                }
                #expect(watermark.span == open.count + sinceCommit.count)
                #expect(watermark.span <= 300)
                if Int.random(in: 0..<3, using: &random) == 0, let commit = watermark.takeCommit() {
                    #expect(commit.offset >= committed.offset)
                    watermark.commitAcknowledged()
                    committed = commit
                    sinceCommit = []
                }
            }
            // What is finished and not in the commit comes again.
            finished.subtract(sinceCommit)
        }
    }
}
