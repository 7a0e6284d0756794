/// The pushes that wait for a time, the earliest first: a binary heap that keeps its storage.
struct RetryQueue: ~Copyable {
    private struct Entry {
        var dueMillis: Int64
        var slot: Int32
    }

    private var heap: [Entry] = []

    /// Makes a queue with room for `capacity` pushes.
    init(capacity: Int) { heap.reserveCapacity(capacity) }

    /// How many pushes wait.
    var count: Int { heap.count }

    /// When the earliest is due, in milliseconds of the monotonic clock; nil when none waits.
    var nextDueMillis: Int64? { heap.first?.dueMillis }

    /// Lets a push wait.
    mutating func insert(slot: Int32, dueMillis: Int64) {
        heap.append(Entry(dueMillis: dueMillis, slot: slot))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].dueMillis < heap[parent].dueMillis else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the earliest push that is due.
    mutating func removeDue(nowMillis: Int64) -> Int32? {
        guard let first = heap.first, first.dueMillis <= nowMillis else { return nil }
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            var child = 2 * parent + 1
            while child <= 2 * parent + 2, child < heap.count {
                if heap[child].dueMillis < heap[least].dueMillis { least = child }
                child += 1
            }
            if least == parent { return first.slot }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// Forgets all.
    mutating func removeAll() { heap.removeAll(keepingCapacity: true) }
}
