internal import CRdKafka
internal import EventLoop

/// Makes and describes topics; confined to one thread, and its calls wait.
@safe
public final class Admin {
    private let settings: KafkaSettings
    private let client: ClientHandle
    private let queue: OpaquePointer

    /// Starts a client.
    ///
    /// - Parameter settings: Where the cluster is.
    /// - Throws: The property that librdkafka refuses.
    public init(_ settings: KafkaSettings) throws(KafkaError) {
        self.settings = settings
        client = try Admin.connect(settings)
        guard let queue = unsafe rd_kafka_queue_new(client.pointer) else {
            throw KafkaError(code: KafkaError.state, message: "no queue")
        }
        unsafe self.queue = queue
    }

    deinit { unsafe rd_kafka_queue_destroy(queue) }

    private static func connect(_ settings: KafkaSettings) throws(KafkaError) -> ClientHandle {
        let configuration = try ClientConfiguration(defaults: [:], settings: settings, required: [:])
        // Where nobody polls for logs, they would pile up.
        configuration.enableEvents(RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG)
        let client = try ClientHandle(RD_KAFKA_PRODUCER, configuration, settings: settings, signal: nil)
        unsafe rd_kafka_set_log_queue(client.pointer, nil)
        return client
    }

    /// Asks any broker for brokers and topics.
    ///
    /// - Parameter timeoutMillis: How long to wait.
    /// - Returns: What it knows.
    /// - Throws: When no answer came.
    public func metadata(timeoutMillis: Int) throws(KafkaError) -> ClusterMetadata {
        defer { client.logWaiting() }
        return try client.metadata(timeoutMillis: timeoutMillis)
    }

    /// Asks as ``metadata(timeoutMillis:)`` does, and says why no broker can be reached.
    ///
    /// - Parameter timeoutMillis: How long to wait; a login or a TLS handshake that fails ends the waiting.
    /// - Returns: What a broker knows.
    /// - Throws: What happened to the connections, if that is known, in place of the time being over.
    public func contact(timeoutMillis: Int) throws(KafkaError) -> ClusterMetadata {
        let deadline = Clock.monotonicMillis() + Int64(timeoutMillis)
        var reason: KafkaError?
        while true {
            let rest = max(1, deadline - Clock.monotonicMillis())
            do {
                return try client.metadata(timeoutMillis: Int(min(rest, 1_000)))
            } catch {
                reason = client.reasonWaiting(after: reason) ?? reason
                let isRefused = [KafkaError.authentication, KafkaError.tls].contains(reason?.code)
                guard !isRefused, Clock.monotonicMillis() < deadline else { throw reason ?? error }
            }
        }
    }

    /// Creates topics; those that exist are left as they are.
    ///
    /// - Parameters:
    ///   - topics: The topics.
    ///   - timeoutMillis: How long to wait.
    /// - Returns: What became of each, in order.
    /// - Throws: When the request as a whole failed.
    public func create(
        _ topics: [TopicSpecification],
        timeoutMillis: Int
    ) throws(KafkaError) -> [TopicCreation] {
        guard !topics.isEmpty else { return [] }
        defer { client.logWaiting() }
        var requests: [OpaquePointer?] = unsafe []
        defer { unsafe rd_kafka_NewTopic_destroy_array(&requests, requests.count) }
        for topic in topics { unsafe requests.append(try request(topic)) }
        let options = try AdminOptions(RD_KAFKA_ADMIN_OP_CREATETOPICS, client, timeoutMillis: timeoutMillis)
        unsafe rd_kafka_CreateTopics(client.pointer, &requests, requests.count, options.pointer, queue)
        let event = try answer(timeoutMillis: timeoutMillis)
        var count = 0
        guard let result = unsafe rd_kafka_event_CreateTopics_result(event.pointer),
            let results = unsafe rd_kafka_CreateTopics_result_topics(result, &count)
        else { throw KafkaError(code: KafkaError.state, message: "no answer to CreateTopics") }
        var outcomes: [String: TopicCreation] = [:]
        for index in 0..<count {
            guard let topic = unsafe results[index], let name = unsafe rd_kafka_topic_result_name(topic) else {
                continue
            }
            unsafe outcomes[String(cString: name)] = outcome(of: topic)
        }
        return topics.map { outcomes[$0.name] ?? .failed(KafkaError(code: KafkaError.unknownTopic)) }
    }

    private func request(_ topic: TopicSpecification) throws(KafkaError) -> OpaquePointer {
        var text = ErrorText()
        let partitions = Int32(clamping: topic.partitions)
        let replication = Int32(clamping: topic.replication)
        guard
            let request = unsafe rd_kafka_NewTopic_new(
                topic.name,
                partitions,
                replication,
                &text.bytes,
                text.bytes.count
            )
        else { throw KafkaError(code: KafkaError.invalidArgument, message: "topic \"\(topic.name)\": \(text.string)") }
        for (key, value) in topic.settings {
            let code = unsafe rd_kafka_NewTopic_set_config(request, key, value)
            guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
                unsafe rd_kafka_NewTopic_destroy(request)
                throw KafkaError(code, "topic \"\(topic.name)\": \(key)")
            }
        }
        return unsafe request
    }

    private func outcome(of topic: OpaquePointer) -> TopicCreation {
        let code = unsafe rd_kafka_topic_result_error(topic)
        switch code.rawValue {
        case 0: return .created
        case KafkaError.topicAlreadyExists: return .existed
        default:
            let text = unsafe rd_kafka_topic_result_error_string(topic).map { unsafe String(cString: $0) }
            return .failed(KafkaError(code, text))
        }
    }

    /// Describes topics.
    ///
    /// - Parameters:
    ///   - topics: Their names.
    ///   - timeoutMillis: How long to wait for each of two answers.
    /// - Returns: One for each name, in order; nil where there is no such topic.
    /// - Throws: When no answer came.
    public func describe(_ topics: [String], timeoutMillis: Int) throws(KafkaError) -> [TopicDescription?] {
        let known = try metadata(timeoutMillis: timeoutMillis).topics
        let found = topics.filter { known[$0].map { $0.error == nil } ?? false }
        let settings = try settings(of: found, timeoutMillis: timeoutMillis)
        return topics.map { name in
            guard let topic = known[name], topic.error == nil else { return nil }
            return TopicDescription(
                name: name,
                partitions: topic.partitions,
                replication: topic.replication,
                settings: settings[name] ?? [:]
            )
        }
    }

    private func settings(
        of topics: [String],
        timeoutMillis: Int
    ) throws(KafkaError) -> [String: [String: TopicDescription.Setting]] {
        guard !topics.isEmpty else { return [:] }
        defer { client.logWaiting() }
        var resources: [OpaquePointer?] = unsafe []
        defer { unsafe rd_kafka_ConfigResource_destroy_array(&resources, resources.count) }
        for topic in topics { unsafe resources.append(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic)) }
        let options = try AdminOptions(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, client, timeoutMillis: timeoutMillis)
        unsafe rd_kafka_DescribeConfigs(client.pointer, &resources, resources.count, options.pointer, queue)
        let event = try answer(timeoutMillis: timeoutMillis)
        var count = 0
        guard let result = unsafe rd_kafka_event_DescribeConfigs_result(event.pointer),
            let found = unsafe rd_kafka_DescribeConfigs_result_resources(result, &count)
        else { throw KafkaError(code: KafkaError.state, message: "no answer to DescribeConfigs") }
        var settings: [String: [String: TopicDescription.Setting]] = [:]
        for index in 0..<count {
            guard let resource = unsafe found[index], let name = unsafe rd_kafka_ConfigResource_name(resource)
            else { continue }
            let code = unsafe rd_kafka_ConfigResource_error(resource)
            guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(code) }
            unsafe settings[String(cString: name)] = entries(of: resource)
        }
        return settings
    }

    private func entries(of resource: OpaquePointer) -> [String: TopicDescription.Setting] {
        var count = 0
        guard let entries = unsafe rd_kafka_ConfigResource_configs(resource, &count) else { return [:] }
        var settings: [String: TopicDescription.Setting] = [:]
        for index in 0..<count {
            guard let entry = unsafe entries[index], let name = unsafe rd_kafka_ConfigEntry_name(entry) else {
                continue
            }
            unsafe settings[String(cString: name)] = TopicDescription.Setting(
                value: rd_kafka_ConfigEntry_value(entry).map { unsafe String(cString: $0) },
                isDefault: rd_kafka_ConfigEntry_source(entry) != RD_KAFKA_CONFIG_SOURCE_DYNAMIC_TOPIC_CONFIG
            )
        }
        return settings
    }

    private func answer(timeoutMillis: Int) throws(KafkaError) -> ClientEvent {
        // librdkafka ends the request itself; the second more is for its answer to arrive.
        guard let event = unsafe ClientEvent(from: queue, timeoutMillis: timeoutMillis + 1_000) else {
            throw KafkaError(code: KafkaError.timedOut)
        }
        if let error = event.error { throw error }
        return event
    }

    /// Waits until every broker knows all of these topics and a leader for each of their partitions.
    ///
    /// A broker learns of a new topic a little after the controller has answered, and a client that asks it before is
    /// told that there is no such topic.
    ///
    /// - Parameters:
    ///   - topics: Their names.
    ///   - timeoutMillis: How long to wait in all.
    /// - Throws: ``KafkaError/timedOut`` with the first broker and topic that are missing.
    public func waitUntilKnown(_ topics: [String], timeoutMillis: Int) throws(KafkaError) {
        guard let first = topics.first else { return }
        let deadline = Clock.monotonicMillis() + Int64(max(0, timeoutMillis))
        let brokers: [ClusterMetadata.Broker]
        do throws(KafkaError) {
            brokers = try metadata(timeoutMillis: timeoutMillis).brokers
        } catch {
            guard error.code == KafkaError.timedOut else { throw error }
            throw KafkaError(code: error.code, message: "no broker said in time whether it knows topic \"\(first)\"")
        }
        for broker in brokers {
            // A client that knows one address only has this broker for its first question, and asks no other since it
            // needs none.
            var settings = settings
            settings.set("bootstrap.servers", "\(broker.host):\(broker.port)")
            try Admin.connect(settings).waitUntilKnown(topics, broker: broker.id, deadline: deadline, pause: self)
        }
    }

    /// Nothing tells when a broker learns of a topic: looks again 50 times a second.
    fileprivate func pause(millis: Int64) {
        _ = unsafe ClientEvent(from: queue, timeoutMillis: Int(min(20, millis)))
    }
}

extension ClientHandle {
    fileprivate func waitUntilKnown(
        _ topics: [String],
        broker: Int32,
        deadline: Int64,
        pause: Admin
    ) throws(KafkaError) {
        defer { logWaiting() }
        var missing = topics.first
        repeat {
            let rest = max(1, deadline - Clock.monotonicMillis())
            do throws(KafkaError) {
                let known = try metadata(timeoutMillis: Int(rest)).topics
                missing = topics.first { !(known[$0]?.hasLeaders ?? false) }
            } catch {
                guard missing != nil, error.isRetriable else { throw error }
            }
            guard missing != nil else { return }
            pause.pause(millis: rest)
        } while Clock.monotonicMillis() < deadline
        throw KafkaError(
            code: KafkaError.timedOut,
            message: "broker \(broker) does not know topic \"\(missing ?? "")\" yet"
        )
    }
}

/// The owner of an `rd_kafka_AdminOptions_t`.
@safe
private struct AdminOptions: ~Copyable {
    let pointer: OpaquePointer

    init(_ operation: rd_kafka_admin_op_t, _ client: ClientHandle, timeoutMillis: Int) throws(KafkaError) {
        guard let options = unsafe rd_kafka_AdminOptions_new(client.pointer, operation) else {
            throw KafkaError(code: KafkaError.state, message: "no options")
        }
        unsafe pointer = options
        var text = ErrorText()
        // Refuses only what is out of range, which is bounded here to an hour.
        let timeout = Int32(min(max(1, timeoutMillis), 3_600_000))
        _ = unsafe rd_kafka_AdminOptions_set_request_timeout(pointer, timeout, &text.bytes, text.bytes.count)
    }

    deinit { unsafe rd_kafka_AdminOptions_destroy(pointer) }
}
