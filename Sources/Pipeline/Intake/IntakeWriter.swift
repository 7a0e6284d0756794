internal import Cryptography
internal import EventLoop
internal import Events
internal import Kafka

/// Writes what follows from events into one producer's transactions: pushes, receipts, dead letters.
///
/// One of intake's two producers with the topics that it writes to, and the parser that it reads events with.
final class IntakeWriter {
    /// The most bytes of a record that a dead letter repeats: the topic takes 8 MiB with what is added.
    private static let deadLetterBytesMax = (8 << 20) - 65_536
    /// The most bytes of a dead letter's message.
    private static let messageBytesMax = 1_024
    /// How long a full queue is waited for before it is tried again, in milliseconds.
    private static let queuePauseMillis = 2
    /// How long a question about a topic waits, in milliseconds, and how often it is asked.
    private static let topicMillis = 1_000
    private static let topicTriesMax = 10

    let producer: TransactionalProducer
    /// What the open transaction holds.
    var tally = IntakeTally()
    private let settings: WorkerSettings
    private let pushes: ProducerTopic
    /// The topic of each app's pushes, in the order of the configuration.
    private let appPushes: [ProducerTopic]
    private let receipts: ProducerTopic
    private let deadLetters: ProducerTopic
    private var parser: EventParser
    private var headers = EventHeaders()
    private var records: EventPushes
    /// Never raised: what a wait ends by is its time.
    private let pause: EventSignal

    /// Makes a producer; its transactions are initialised by the caller.
    ///
    /// - Parameters:
    ///   - settings: The worker's.
    ///   - suffix: The end of its transactional id.
    ///   - pause: Never raised.
    ///   - stop: Ends the questions about topics.
    /// - Throws: ``KafkaError``, also when a topic does not exist.
    init(
        _ settings: WorkerSettings,
        suffix: String,
        pause: EventSignal,
        stop: StopRequest
    ) throws(KafkaError) {
        self.settings = settings
        self.pause = pause
        let kafka = settings.kafka
        let client = "geopush-intake-\(suffix)-\(kafka.instance)"
        producer = try TransactionalProducer(
            kafka.producerSettings(clientID: client),
            transactionalID: "\(kafka.groupPrefix)intake.\(kafka.instance).\(suffix)"
        )
        pushes = try Self.topic(settings.topics.pushes, of: producer, stop)
        receipts = try Self.topic(settings.topics.receipts, of: producer, stop)
        deadLetters = try Self.topic(settings.topics.deadLetters, of: producer, stop)
        var own: [ProducerTopic] = []
        for app in settings.delivery.apps {
            guard let name = app.pushesTopic else {
                own.append(pushes)
                continue
            }
            own.append(try Self.topic(name, of: producer, stop))
        }
        appPushes = own
        parser = EventParser(
            settings: EventParserSettings(apps: settings.delivery.apps.map { EventApp(id: $0.id, topic: $0.topic) })
        )
        records = EventPushes(
            receipts: ReceiptWriter(
                source: "/geopush/intake",
                worker: kafka.instance,
                disclosure: settings.delivery.hashesTokens ? .hash : .plain
            )
        )
    }

    /// Asks for a topic a second at a time, so that a stop does not wait for brokers that do not answer.
    ///
    /// The connection that is being made goes on between the questions.
    private static func topic(
        _ name: String,
        of producer: TransactionalProducer,
        _ stop: StopRequest
    ) throws(KafkaError) -> ProducerTopic {
        for _ in 1..<topicTriesMax {
            do {
                return try producer.topic(name, timeoutMillis: topicMillis)
            } catch {
                guard error.isRetriable, stop.requestedGraceMillis == nil else { throw error }
            }
        }
        return try producer.topic(name, timeoutMillis: topicMillis)
    }

    /// Writes what follows from one record.
    ///
    /// - Throws: What Kafka does not take; the transaction has to be aborted.
    func write(_ record: consuming Record, from input: IntakeInput) throws(KafkaError) {
        headers.removeAll()
        if let list = record.headerList {
            for index in 0..<list.count {
                let header = list[index]
                unsafe headers.append(name: header.name, value: header.value)
            }
        }
        let event = unsafe EventRecord(
            kind: input.kind,
            topic: input.topicBytes,
            partition: record.partition,
            offset: record.offset,
            timestampMillis: record.timestampMillis,
            key: record.key,
            value: record.value
        )
        let wallMillis = Clock.wallMillis()
        switch parser.parse(event, headers: headers, nowMillis: wallMillis) {
        case .tombstone: tally.event(nil, .tombstone)
        case .faulty:
            try writeDeadLetter(record, from: input.topic)
            tally.event(nil, .deadLettered)
            tally.deadLetter(parser.faults.first?.code)
        case .event: try writePushes(event, wallMillis: wallMillis)
        }
    }

    private func writePushes(_ event: EventRecord, wallMillis: Int64) throws(KafkaError) {
        records.begin(parser, record: event, nowMillis: wallMillis)
        let app = parser.event.appIndex
        let topic = appPushes.indices.contains(app) ? appPushes[app] : pushes
        let type = ReceiptWriter.contentType
        let contentType = unsafe HeaderReference(
            name: "content-type",
            value: UnsafeRawBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)
        )
        var pushes = 0
        var receiptCount = 0
        while true {
            switch records.next(parser) {
            case .push:
                pushes += 1
                try unsafe produce(
                    to: topic,
                    key: records.keyBytes,
                    value: parser.body,
                    header: HeaderReference(name: "push", value: records.headerBytes)
                )
            case .receipt:
                receiptCount += 1
                try unsafe produce(
                    to: receipts,
                    key: records.receiptKeyBytes,
                    value: records.receiptValueBytes,
                    header: contentType
                )
            case .finished: return count(event, pushes: pushes, receipts: receiptCount)
            }
        }
    }

    private func count(_ record: EventRecord, pushes: Int, receipts: Int) {
        let type = parser.event.type
        if parser.event.isExpired {
            tally.event(type, .expired)
            tally.expired()
        } else {
            tally.event(type, pushes > 0 ? .pushed : .silent)
            tally.pushed(pushes, invalidTokens: receipts, timestampMillis: record.timestampMillis)
        }
    }

    private func produce(
        to topic: ProducerTopic,
        key: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer,
        header: HeaderReference
    ) throws(KafkaError) {
        while true {
            switch unsafe producer.produce(to: topic, key: key, value: value, header: header) {
            case .queued: return
            case .queueFull: _ = pause.wait(timeoutMillis: Self.queuePauseMillis)
            case .failed(let code): throw KafkaError(code: code)
            }
        }
    }

    /// Keeps a record that is no event, as it came, with what is wrong with it.
    private func writeDeadLetter(_ record: borrowing Record, from topic: String) throws(KafkaError) {
        let faults = parser.faults
        var headers: [(String, [UInt8]?)] = []
        if let list = record.headerList {
            for index in 0..<list.count {
                let header = list[index]
                let name = unsafe String(decoding: header.name, as: UTF8.self)
                // A record that was sent back and failed again says why it failed now.
                if !name.hasPrefix("dlq.") { unsafe headers.append((name, header.value.map { unsafe Array($0) })) }
            }
        }
        var (key, value) = unsafe (record.key, record.value)
        var kept = unsafe headers.reduce(key?.count ?? 0) { $0 + $1.0.utf8.count + ($1.1?.count ?? 0) }
        // A record arrives compressed, and may be larger than its topic takes: refused, it would stop intake for ever.
        if kept > Self.deadLetterBytesMax {
            headers = [("dlq.headers.omitted", Array("true".utf8)), ("dlq.key.omitted", Array("true".utf8))]
            unsafe key = nil
            kept = 0
        }
        let message = faults.map(\.description).joined(separator: "; ").utf8.prefix(Self.messageBytesMax)
        headers += [
            ("dlq.topic", Array(topic.utf8)),
            ("dlq.partition", Array("\(record.partition)".utf8)),
            ("dlq.offset", Array("\(record.offset)".utf8)),
            ("dlq.code", Array((faults.first?.code.rawValue ?? "").utf8)),
            ("dlq.message", Array(String(decoding: message, as: UTF8.self).utf8)),
        ]
        if let bytes = unsafe value, kept + bytes.count > Self.deadLetterBytesMax {
            let digest = unsafe Digest.sha256(bytes)
            var text = ByteBuffer(capacity: 64)
            text.append(hex: digest)
            headers += [
                ("dlq.value.omitted", Array("true".utf8)),
                ("dlq.value.size", Array("\(bytes.count)".utf8)),
                ("dlq.value.sha256", unsafe Array(text.bytes)),
            ]
            unsafe value = nil
        }
        while true {
            switch unsafe producer.produce(to: deadLetters, key: key, value: value, headers: headers) {
            case .queued: return
            case .queueFull: _ = pause.wait(timeoutMillis: Self.queuePauseMillis)
            case .failed(let code): throw KafkaError(code: code)
            }
        }
    }
}
