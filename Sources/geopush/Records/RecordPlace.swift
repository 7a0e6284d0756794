/// Where a record stands in its topic, written `partition:offset`.
struct RecordPlace: Hashable, CustomStringConvertible {
    let partition: Int32
    let offset: Int64

    init(partition: Int32, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    /// Reads `partition:offset`; nil when it is something else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), let offset = Int64(parts[1]), partition >= 0,
            offset >= 0
        else { return nil }
        self.init(partition: partition, offset: offset)
    }

    var description: String { "\(partition):\(offset)" }
}
