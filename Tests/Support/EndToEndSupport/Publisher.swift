import EventLoop
public import Kafka
import Synchronization

/// A record to be published.
public struct Message: Sendable {
    /// The key; nil is null.
    public var key: String?
    /// The value; nil is null.
    public var value: [UInt8]?
    /// The headers.
    public var headers: [(String, String)]
    /// The partition; -1 lets the key decide.
    public var partition: Int32

    /// Makes a record with a text.
    public init(key: String?, value: String?, headers: [(String, String)] = [], partition: Int32 = -1) {
        self.init(key: key, bytes: value.map { Array($0.utf8) }, headers: headers, partition: partition)
    }

    /// Makes a record with any bytes.
    public init(key: String?, bytes: [UInt8]?, headers: [(String, String)] = [], partition: Int32 = -1) {
        self.key = key
        value = bytes
        self.headers = headers
        self.partition = partition
    }
}

/// Publishes records as another team would, from any thread.
public final class Publisher: @unchecked Sendable {
    // Sendable: every use of the producer holds the lock.
    private let lock = Mutex(())
    private let producer: Producer
    private var topics: [String: ProducerTopic] = [:]

    /// Makes a producer.
    ///
    /// - Parameter settings: Where the cluster is.
    /// - Throws: What librdkafka refuses.
    public init(_ settings: KafkaSettings) throws { producer = try Producer(settings, signal: nil) }

    /// Publishes records in order, and waits until the brokers have them.
    ///
    /// - Parameters:
    ///   - messages: The records.
    ///   - topic: Their topic.
    /// - Throws: ``Overdue`` when one is not acknowledged in a minute.
    public func publish(_ messages: [Message], to topic: String) throws {
        try lock.withLock { _ in
            let target = try topics[topic] ?? producer.topic(topic)
            topics[topic] = target
            var reports = DeliveryReports(capacity: 1_000)
            var acknowledged = 0
            for message in messages {
                var result = produce(message, to: target)
                while result == .queueFull {
                    producer.pollReports(&reports, timeoutMillis: 100)
                    acknowledged += (0..<reports.count).count { reports[$0].isAcknowledged }
                    result = produce(message, to: target)
                }
                guard result == .queued else { throw Overdue("a record for \(topic): \(result)") }
            }
            _ = producer.flush(timeoutMillis: 60_000) { acknowledged += $0.isAcknowledged ? 1 : 0 }
            guard acknowledged == messages.count else {
                throw Overdue("\(acknowledged) of \(messages.count) records for \(topic) acknowledged")
            }
        }
    }

    private func produce(_ message: Message, to topic: ProducerTopic) -> ProduceResult {
        let headers = message.headers.map { ($0.0, Optional(Array($0.1.utf8))) }
        return withBytes(of: message.key.map { Array($0.utf8) }) { key in
            withBytes(of: message.value) { value in
                producer.produce(to: topic, partition: message.partition, key: key, value: value, headers: headers)
            }
        }
    }

    private func withBytes<Value>(of bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
        guard let bytes else { return body(nil) }
        return bytes.withUnsafeBytes { body($0) }
    }
}
