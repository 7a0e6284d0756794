internal import HTTP2

/// An answer that waits for its time.
struct DelayedAnswer {
    let dueMillis: Int64
    let order: UInt64
    let peer: Peer
    let request: ServerRequest
    let head: PushHead
    let answer: Answer
}

/// Answers in the order of their times: a binary heap.
struct DelayedAnswers {
    private var heap: [DelayedAnswer] = []
    private var added: UInt64 = 0

    /// The time of the first; nil where there is none.
    var dueMillis: Int64? { heap.first?.dueMillis }

    /// Adds an answer behind those of the same time.
    mutating func add(
        dueMillis: Int64,
        _ peer: Peer,
        _ request: ServerRequest,
        _ head: PushHead,
        _ answer: Answer
    ) {
        added += 1
        heap.append(
            DelayedAnswer(
                dueMillis: dueMillis,
                order: added,
                peer: peer,
                request: request,
                head: head,
                answer: answer
            )
        )
        var index = heap.count - 1
        while index > 0, isBefore(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes the first answer whose time has come.
    mutating func next(nowMillis: Int64) -> DelayedAnswer? {
        guard let first = heap.first, first.dueMillis <= nowMillis else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isBefore(child, smallest) {
                smallest = child
            }
            if smallest == index { return first }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].dueMillis, heap[left].order) < (heap[right].dueMillis, heap[right].order)
    }
}
