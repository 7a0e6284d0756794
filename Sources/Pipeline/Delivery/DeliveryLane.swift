internal import APNs
internal import EventLoop
internal import Events
internal import HTTP2
internal import Kafka
internal import Observability

/// One lane of the delivery stage: one thread, one loop, and nothing shared with other lanes.
///
/// It owns a consumer in the group, connections to APNs and a producer. A turn of the loop answers Kafka's events, reads
/// APNs' answers, takes new pushes while there is room, and writes all that came of it at once. The steps of a push:
///
///     take (+Partitions) → send (+Pushes) → answer (+Answers) → receipt (+Receipts) → watermark → commit (+Commits)
final class DeliveryLane {
    /// What a lane is made from; everything else it makes itself, on its own thread.
    struct Context: Sendable {
        let index: Int
        let settings: WorkerSettings
        let signal: EventSignal
        let connector: Connector
        let state: StageState
        let metrics: DeliveryMetrics
        let stop: StopRequest
        let fail: @Sendable (WorkerFailure) -> Void
    }

    /// The most pushes that wait in a lane beside those in flight: for their token, a pause, or a halted key.
    static let heldMax = 20_000
    /// The most receipts that may lack their acknowledgement: taking stops there while the topic does not answer.
    static let unacknowledgedMax = 8_000
    /// How many records one look into a partition takes at most.
    static let batchMax = 128

    let context: Context
    let log: Logger
    let metrics: DeliveryMetrics
    var poller: Poller
    let consumer: Consumer
    let producer: Producer
    let receiptsTopic: ProducerTopic
    let unregisteredTopic: ProducerTopic

    var partitions: [DeliveryPartition] = []
    var epoch: UInt16 = 0
    /// Partitions that were given to us and whose committed positions are not read yet.
    var assignment: PendingAssignment?
    var batch = RecordBatch(capacity: DeliveryLane.batchMax)
    var firstPartition = 0

    var pushes: PushSlab
    var tokens: TokenOrder
    var retries: RetryQueue
    var apps: AppTable
    var pools: [DeliveryPool]
    let mailbox: ConnectMailbox
    /// The open connections of all pools, by their tag in the poller less one.
    var links: [DeliveryLink?] = []
    let clientSettings: ClientSettings
    var headers = RequestHeaders(capacity: 16)
    /// Until when the pushes of an app wait, because APNs refuses its topic; 0 when they do not.
    var heldUntilMillis: [Int64]
    var inFlight = 0

    var receipts: ReceiptOutbox
    var receiptProbe = ReceiptProbe()
    var commits = CommitSchedule()
    var drain: LaneDrain?
    var suspension: Suspension

    var nowMillis = Clock.monotonicMillis()
    var wallMillis = Clock.wallMillis()
    var scratch = ByteBuffer(capacity: 8_192)
    var random = SystemRandomNumberGenerator()
    var ids = ApnsIDGenerator()
    var reports = DeliveryReports(capacity: 512)
    var sweepAtMillis: Int64 = 0
    /// The group has given partitions, or said that there are none for us.
    var hasJoined = false
    /// Since when the lane has no assignment after one that was taken away.
    var unassignedSinceMillis: Int64?
    /// A connection to APNs has been open.
    var hasConnected = false
    var isStopping = false
    var isFinished = false

    init(_ context: Context) throws {
        self.context = context
        metrics = context.metrics
        let settings = context.settings
        log = Logger(label: "geopush.delivery")
        poller = try Poller(capacity: 64)
        let kafka = settings.kafka
        let member = "\(context.index)-delivery-\(kafka.instance)"
        consumer = try Consumer(
            kafka.consumerSettings(clientID: "geopush-\(context.index)-\(kafka.instance)", member: member),
            group: kafka.groupPrefix + "delivery",
            signal: context.signal
        )
        producer = try Producer(
            kafka.producerSettings(clientID: "geopush-\(context.index)-\(kafka.instance)"),
            signal: context.signal
        )
        receiptsTopic = try producer.topic(settings.topics.receipts)
        unregisteredTopic = try producer.topic(settings.topics.unregistered)
        let delivery = settings.delivery
        let capacity = delivery.inFlight + Self.heldMax
        pushes = PushSlab(capacity: capacity)
        tokens = TokenOrder(capacity: capacity)
        retries = RetryQueue(capacity: 256)
        mailbox = ConnectMailbox(signal: context.signal)
        apps = AppTable(delivery.apps)
        pools = DeliveryPool.all(delivery, apps)
        heldUntilMillis = .init(repeating: 0, count: delivery.apps.count)
        var bounds = ClientSettings()
        bounds.requestTimeoutMillis = delivery.requestTimeoutMillis
        clientSettings = bounds
        receipts = ReceiptOutbox(
            worker: kafka.instance,
            disclosure: delivery.hashesTokens ? .hash : .plain
        )
        suspension = Suspension(limitMillis: kafka.sessionTimeoutMillis / 2, nowMillis: nowMillis)
        try poller.add(context.signal.fileDescriptor, .read, tag: 0)
        let own = delivery.apps.compactMap(\.pushesTopic)
        try consumer.subscribe(Set([settings.topics.pushes] + own).sorted())
    }
}
