/// What the metadata of the commit before the restart says is finished, as long as it has not come again.
struct RestoredRuns {
    private let runs: [Range<Int64>]
    /// For each run, the bytes that it and those after it take as run lengths.
    private let bytes: [Int]
    private var next = 0

    init(_ finished: FinishedRuns) {
        runs = finished.runs
        var bytes = [Int](repeating: 0, count: runs.count)
        var sum = 0
        for index in runs.indices.reversed() {
            // The gap to the run before may grow by what is finished there: the widest form that 63 bits need is 9.
            let gap = index > 0 ? FinishedRuns.varintBytes(runs[index].lowerBound - runs[index - 1].upperBound) : 9
            sum += gap + FinishedRuns.varintBytes(runs[index].upperBound - runs[index].lowerBound)
            bytes[index] = sum
        }
        self.bytes = bytes
    }

    /// Whether all of it has come again.
    var isEmpty: Bool { next == runs.count }

    /// At most so many bytes of run lengths are still to come.
    var payloadBytes: Int { isEmpty ? 0 : bytes[next] + 8 }

    /// Whether an offset is finished; asked in the order of offsets.
    mutating func contains(_ offset: Int64) -> Bool {
        while next < runs.count, runs[next].upperBound <= offset { next += 1 }
        return next < runs.count && runs[next].contains(offset)
    }

    /// The first offset from this one on that is not finished.
    func end(from offset: Int64) -> Int64 {
        var index = next
        while index < runs.count, runs[index].upperBound <= offset { index += 1 }
        return index < runs.count && runs[index].contains(offset) ? runs[index].upperBound : offset
    }

    /// Adds what is beyond an offset and has not come again.
    func appendRuns(to finished: inout FinishedRuns, from offset: Int64) {
        for run in runs[next...] where run.upperBound > offset {
            finished.append(max(offset, run.lowerBound)..<run.upperBound)
        }
    }
}

extension FinishedRuns {
    /// Adds a run beyond all others; one that touches the last is joined to it.
    mutating func append(_ run: Range<Int64>) {
        if let last = runs.last, last.upperBound == run.lowerBound {
            runs[runs.count - 1] = last.lowerBound..<run.upperBound
        } else {
            runs.append(run)
        }
    }
}
