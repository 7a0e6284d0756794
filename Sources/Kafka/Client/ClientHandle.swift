internal import CRdKafka
internal import EventLoop
internal import Observability

/// The owner of an `rd_kafka_t`.
///
/// Whatever belongs to the client (a queue, a topic, a record) holds it, because `rd_kafka_destroy` waits without end
/// for the last of them: it is destroyed when they are gone.
@safe
final class ClientHandle {
    let pointer: OpaquePointer
    let logger: Logger
    let clientID: String
    /// Set once the consumer has left its group, or where it does not have to.
    var skipsConsumerClose = false
    /// Written to by threads of librdkafka until the client is destroyed, so it has to live as long.
    private let signal: EventSignal?

    init(
        _ type: rd_kafka_type_t,
        _ configuration: consuming ClientConfiguration,
        settings: KafkaSettings,
        signal: EventSignal?
    ) throws(KafkaError) {
        unsafe pointer = try configuration.start(type)
        self.logger = settings.logger
        self.clientID = settings["client.id"] ?? ""
        self.signal = signal
    }

    deinit {
        unsafe rd_kafka_destroy_flags(pointer, skipsConsumerClose ? Int32(RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE) : 0)
    }

    /// Makes a queue raise the signal when something arrives in it and it was empty.
    func signal(from queue: OpaquePointer) {
        guard let signal else { return }
        // An eventfd takes exactly eight bytes.
        unsafe withUnsafeBytes(of: UInt64(1)) { bytes in
            unsafe rd_kafka_queue_io_event_enable(queue, signal.fileDescriptor, bytes.baseAddress, bytes.count)
        }
    }

    /// Raises the signal as if something had arrived.
    func raiseSignal() { signal?.raise() }

    /// Writes a line of librdkafka's to our log.
    func log(_ event: OpaquePointer) {
        var facility: UnsafePointer<CChar>?
        var text: UnsafePointer<CChar>?
        var level: Int32 = 0
        guard unsafe rd_kafka_event_log(event, &facility, &text, &level) == 0 else { return }
        let name = unsafe facility.map { unsafe String(cString: $0) } ?? ""
        unsafe logger.log(
            ClientHandle.level(ofSyslog: level, facility: name),
            "librdkafka",
            [
                "kafka.client.id": clientID,
                "kafka.facility": name,
                "kafka.message": text.map { unsafe String(cString: $0) } ?? "",
            ]
        )
    }

    /// librdkafka repairs by itself what it logs as an error, and what it cannot repair is an event of its own.
    private static func level(ofSyslog level: Int32, facility: String) -> Logger.Level {
        switch level {
        case ...2: .error
        case 3: .warning
        // A position that was reset: records are skipped or come again.
        case 4 where facility == "OFFSET": .warning
        case 4: .notice
        case 5: .info
        case 6: .debug
        default: .trace
        }
    }

    /// The error that has made the client useless, if any.
    var fatalError: KafkaError? {
        var text = ErrorText()
        let code = unsafe rd_kafka_fatal_error(pointer, &text.bytes, text.bytes.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return KafkaError(code: code.rawValue, message: text.string, isFatal: true)
    }
}

extension ClientHandle {
    /// What says most about a connection that fails, first.
    private static let reasons = [
        KafkaError.authentication, KafkaError.tls, KafkaError.resolve, KafkaError.transport,
    ]

    /// Takes the errors that wait in the main queue, for clients that nobody polls.
    ///
    /// - Parameter known: What was found before.
    /// - Returns: The one that says most, or nil where none says more than what is known.
    func reasonWaiting(after known: KafkaError?) -> KafkaError? {
        guard let queue = unsafe rd_kafka_queue_get_main(pointer) else { return nil }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        let rank = { (error: KafkaError?) in
            error.flatMap { Self.reasons.firstIndex(of: $0.code) } ?? Self.reasons.count
        }
        var found: KafkaError?
        while let event = unsafe ClientEvent(from: queue, timeoutMillis: 0) {
            if event.type == RD_KAFKA_EVENT_LOG { unsafe log(event.pointer) }
            guard event.type == RD_KAFKA_EVENT_ERROR, let error = event.error else { continue }
            if rank(error) < rank(found ?? known) { found = error }
        }
        return found
    }

    /// Writes the lines that wait in the main queue to the log, for clients that nobody polls.
    func logWaiting() {
        guard let queue = unsafe rd_kafka_queue_get_main(pointer) else { return }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        while let event = unsafe ClientEvent(from: queue, timeoutMillis: 0) {
            if event.type == RD_KAFKA_EVENT_LOG { unsafe log(event.pointer) }
        }
    }
}
