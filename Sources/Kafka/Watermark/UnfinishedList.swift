/// The unfinished records of a partition in the order of their offsets, doubly linked through a slab.
///
/// A finished record is unlinked, and its place becomes part of the run of finished offsets behind its predecessor.
struct UnfinishedList: ~Copyable {
    private struct Node {
        var offset: Int64
        var previous: UInt32
        var next: UInt32
        /// Whether something is finished between this record and the next.
        var hasRun = false
        var state = State.free
    }

    private enum State: UInt8 {
        case free, linked, detached
    }

    private static let none = UInt32.max

    private var nodes: [Node] = []
    private var head = none
    private var tail = none
    private var free = none
    /// The end of the run behind the last record.
    private var tailRunEnd: Int64 = 0

    /// Of all runs: how many, their bytes as run lengths, and how many offsets they cover.
    private var runs = 0
    private var runBytes = 0
    private var runOffsets: Int64 = 0

    init(capacity: Int) {
        // Pages that are never touched cost nothing, and what is never needed is never touched.
        nodes.reserveCapacity(capacity)
    }

    var isEmpty: Bool { head == UnfinishedList.none }

    /// The offset of the first unfinished record.
    var first: Int64? { isEmpty ? nil : nodes[Int(head)].offset }

    /// Adds a record beyond all others.
    ///
    /// - Parameter offset: Its offset.
    /// - Returns: The number under which it is to be removed.
    mutating func append(_ offset: Int64) -> UInt32 {
        let index = take(Node(offset: offset, previous: tail, next: UnfinishedList.none, state: .linked))
        if tail == UnfinishedList.none {
            head = index
        } else {
            // The run behind the last record ends at the new one from now on: nothing was received between.
            count(tail, -1)
            nodes[Int(tail)].next = index
            count(tail, 1)
        }
        tail = index
        return index
    }

    /// Adds a record beyond all others that is finished.
    mutating func appendFinished(_ offset: Int64) {
        guard tail != UnfinishedList.none else { return }
        count(tail, -1)
        nodes[Int(tail)].hasRun = true
        tailRunEnd = offset + 1
        count(tail, 1)
    }

    /// Removes a record, because it is finished.
    ///
    /// - Parameter index: Its number; one that is not in use is left alone.
    /// - Returns: Whether it counted: not when it was detached before.
    mutating func remove(_ index: UInt32) -> Bool {
        guard Int(index) < nodes.count else { return false }
        let node = nodes[Int(index)]
        switch node.state {
        case .free:
            assertionFailure("a record is finished twice")
            return false
        case .detached:
            give(index)
            return false
        case .linked:
            unlink(index, node)
            give(index)
            return true
        }
    }

    private mutating func unlink(_ index: UInt32, _ node: Node) {
        count(index, -1)
        let isTail = index == tail
        if isTail {
            tail = node.previous
        } else {
            nodes[Int(node.next)].previous = node.previous
        }
        guard node.previous != UnfinishedList.none else {
            head = node.next
            return
        }
        // The run behind the predecessor takes the record's place in, and the run behind the record.
        let before = Int(node.previous)
        if nodes[before].hasRun { add(-1, length: node.offset - nodes[before].offset - 1) }
        nodes[before].next = node.next
        nodes[before].hasRun = true
        if isTail, !node.hasRun { tailRunEnd = node.offset + 1 }
        count(node.previous, 1)
    }

    /// Forgets all records; each number stays taken until it is removed.
    mutating func detachAll() {
        var index = head
        while index != UnfinishedList.none {
            nodes[Int(index)].state = .detached
            index = nodes[Int(index)].next
        }
        head = UnfinishedList.none
        tail = UnfinishedList.none
        (runs, runBytes, runOffsets) = (0, 0, 0)
    }

    /// At most so many bytes of run lengths.
    ///
    /// Those of finished runs are counted as they change. Those between them are not known one by one, but their sum
    /// is: no more than a 128th of it can take a second byte, and so on.
    var payloadBytes: Int {
        guard runs > 0 else { return 0 }
        let end = nodes[Int(tail)].hasRun ? tailRunEnd : nodes[Int(tail)].offset + 1
        var rest = end - nodes[Int(head)].offset - runOffsets
        var bytes = runBytes + runs
        while rest >= 128 {
            rest >>= 7
            bytes += min(runs, Int(clamping: rest))
        }
        return bytes
    }

    /// Adds the runs of finished offsets to empty ones.
    func appendRuns(to finished: inout FinishedRuns) {
        finished.runs.reserveCapacity(runs)
        var index = head
        while index != UnfinishedList.none {
            let node = nodes[Int(index)]
            if node.hasRun { finished.append((node.offset + 1)..<end(of: node)) }
            index = node.next
        }
    }

    private func end(of node: Node) -> Int64 {
        node.next == UnfinishedList.none ? tailRunEnd : nodes[Int(node.next)].offset
    }

    /// Counts the run behind a record in (1) or out (-1).
    private mutating func count(_ index: UInt32, _ sign: Int) {
        let node = nodes[Int(index)]
        guard node.hasRun else { return }
        add(sign, length: end(of: node) - node.offset - 1)
    }

    private mutating func add(_ sign: Int, length: Int64) {
        runs += sign
        runBytes += sign * FinishedRuns.varintBytes(length)
        runOffsets += Int64(sign) * length
    }

    private mutating func take(_ node: Node) -> UInt32 {
        guard free != UnfinishedList.none else {
            nodes.append(node)
            return UInt32(nodes.count - 1)
        }
        let index = free
        free = nodes[Int(index)].next
        nodes[Int(index)] = node
        return index
    }

    private mutating func give(_ index: UInt32) {
        nodes[Int(index)].state = .free
        nodes[Int(index)].hasRun = false
        nodes[Int(index)].next = free
        free = index
    }
}
