internal import CRdKafka

/// The owner of an `rd_kafka_conf_t` until a client takes it over.
@safe
struct ClientConfiguration: ~Copyable {
    private let pointer: OpaquePointer

    /// Makes a configuration from librdkafka's defaults and ours, the settings and what may not be changed.
    ///
    /// - Parameters:
    ///   - defaults: Ours; the settings win over them.
    ///   - settings: The user's.
    ///   - required: What the wrapper relies on; wins over all.
    /// - Throws: The first property that librdkafka refuses, by name.
    init(
        defaults: KeyValuePairs<String, String>,
        settings: KafkaSettings,
        required: KeyValuePairs<String, String>
    ) throws(KafkaError) {
        unsafe self.pointer = rd_kafka_conf_new()
        for (key, value) in defaults { try set(key, value) }
        for (key, value) in settings.properties { try set(key, value) }
        for (key, value) in required { try set(key, value) }
        // Logs are events of a queue that we poll, so that no thread of librdkafka ever runs Swift.
        try set("log.queue", "true")
    }

    deinit { unsafe rd_kafka_conf_destroy(pointer) }

    private func set(_ key: String, _ value: String) throws(KafkaError) {
        var text = ErrorText()
        guard unsafe rd_kafka_conf_set(pointer, key, value, &text.bytes, text.bytes.count) == RD_KAFKA_CONF_OK else {
            // librdkafka calls some properties by another name than the user did, and its text may hold the value.
            let isSecret = KafkaSettings.isSecret(key, value: value)
            throw KafkaError(
                code: KafkaError.invalidArgument,
                message: isSecret ? "invalid value for \(key)" : "invalid \(key) \"\(value)\": \(text.string)"
            )
        }
    }

    /// Chooses what arrives as an event.
    func enableEvents(_ events: Int32) {
        unsafe rd_kafka_conf_set_events(pointer, events)
    }

    /// Starts a client.
    ///
    /// `rd_kafka_new` owns the configuration only on success; on failure it is destroyed here.
    consuming func start(_ type: rd_kafka_type_t) throws(KafkaError) -> OpaquePointer {
        var text = ErrorText()
        if let client = unsafe rd_kafka_new(type, pointer, &text.bytes, text.bytes.count) {
            discard self
            return unsafe client
        }
        let error = KafkaError(rd_kafka_last_error(), text.string)
        // Said in as many words, because a function that discards on one path has to consume on all.
        _ = consume self
        throw error
    }
}

/// The buffer into which librdkafka writes why it refuses.
struct ErrorText {
    var bytes: [CChar] = .init(repeating: 0, count: 512)

    var string: String {
        String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
