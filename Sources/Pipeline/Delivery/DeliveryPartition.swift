internal import Events
internal import Kafka

/// One partition of a pushes topic while the lane owns it.
final class DeliveryPartition {
    /// Why the lane takes nothing from the partition until it changes hands.
    enum Stop: Equatable {
        /// A record is written for a later version of geopush: a rolling upgrade is under way.
        case unknownVersion(offset: Int64)
    }

    /// Its topic and number.
    let id: TopicPartition
    /// Its place in the lane, in each push's origin.
    let place: UInt16
    /// Which assignment of that place.
    let epoch: UInt16
    /// What has finished and what may be committed.
    var watermark: OffsetWatermark
    /// What librdkafka has fetched; gone before the partition is given back.
    private(set) var queue: PartitionQueue?
    /// The queue may hold records that have not been asked for.
    var mayHoldRecords = true
    /// Set when the lane must not go on.
    var stop: Stop?
    /// The topic's name, for receipts.
    private let topicName: OwnedBytes
    private let topicCount: Int
    /// It was said that the lane it takes nothing more here until commits catch up.
    var isSaidFull = false

    /// Begins with what an earlier owner committed.
    init(id: TopicPartition, place: UInt16, epoch: UInt16, watermark: consuming OffsetWatermark, queue: PartitionQueue)
    {
        self.id = id
        self.place = place
        self.epoch = epoch
        self.watermark = watermark
        self.queue = queue
        var name = ByteBuffer(capacity: 64)
        name.append(text: id.topic)
        unsafe topicName = OwnedBytes(copying: name.bytes)
        topicCount = name.count
    }

    /// The topic's name; valid as long as the partition.
    var topicBytes: UnsafeRawBufferPointer { unsafe topicName.bytes(in: 0..<topicCount) }

    /// Another record may be taken now.
    var isOpen: Bool { stop == nil && !watermark.isFull }

    /// Ends taking for good.
    func closeQueue() { queue = nil }
}
