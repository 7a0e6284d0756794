internal import CRdKafka

/// The owner of an `rd_kafka_event_t`.
@safe
struct ClientEvent: ~Copyable {
    let pointer: OpaquePointer

    /// Takes the next event of a queue; nil when there is none.
    ///
    /// - Parameters:
    ///   - queue: A queue that holds events only.
    ///   - timeoutMillis: 0 only looks.
    init?(from queue: OpaquePointer, timeoutMillis: Int) {
        guard let event = unsafe rd_kafka_queue_poll(queue, Int32(clamping: timeoutMillis)) else { return nil }
        unsafe pointer = event
    }

    deinit { unsafe rd_kafka_event_destroy(pointer) }

    var type: Int32 { unsafe rd_kafka_event_type(pointer) }

    /// The event's error; nil when it reports success.
    var error: KafkaError? {
        let code = unsafe rd_kafka_event_error(pointer)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        let text = unsafe rd_kafka_event_error_string(pointer).map { unsafe String(cString: $0) }
        // Of other events librdkafka would read what they do not have, beyond their memory.
        let isFatal = unsafe type == RD_KAFKA_EVENT_ERROR && rd_kafka_event_error_is_fatal(pointer) != 0
        return KafkaError(code: code.rawValue, message: text, isFatal: isFatal)
    }
}
