internal import EventLoop
internal import Events
internal import Kafka

/// Fills a pushes topic: what a bench has its worker deliver.
struct PushLoad {
    /// How a record carries what stands beside its body.
    enum Form: String, CaseIterable {
        /// In the one header `push`, as our stages write it.
        case oneHeader = "one-header"
        /// In Kafka headers of their own, as any team may.
        case separateHeaders = "separate-headers"
    }

    private static let body: StaticString = #"{"aps":{"content-available":1},"locationId":"loc-000123"}"#

    let bootstrapServers: String
    let topic: String
    let appTopic: String
    let form: Form

    /// Writes pushes, each for a token of its own, and waits until Kafka has them.
    func write(_ count: Int) throws {
        var settings = KafkaSettings(bootstrapServers: bootstrapServers, clientID: "geopush-bench-load")
        settings.set("linger.ms", "20")
        // Batches as of the Java client, whose default is 16 KiB, under load: a fetch never splits one.
        settings.set("batch.size", "65536")
        let producer = try Producer(settings, signal: nil)
        let target = try producer.topic(topic)
        var reports = DeliveryReports(capacity: 4_096)
        let pause = try EventSignal()
        var acknowledged = 0
        var line = ByteBuffer(capacity: 1_024)
        for number in 0..<count {
            while !(try put(number, producer, target, &line)) { _ = pause.wait(timeoutMillis: 1) }
            if number % 1_024 == 0 { acknowledged += try poll(producer, &reports, timeoutMillis: 0) }
        }
        let deadline = Clock.monotonicMillis() + 60_000
        while acknowledged < count {
            acknowledged += try poll(producer, &reports, timeoutMillis: 100)
            guard Clock.monotonicMillis() < deadline else { throw BenchError("Kafka took \(acknowledged) of \(count)") }
        }
    }

    private func poll(_ producer: Producer, _ reports: inout DeliveryReports, timeoutMillis: Int) throws -> Int {
        let count = producer.pollReports(&reports, timeoutMillis: timeoutMillis)
        if let failure = reports.failures.first { throw BenchError("Kafka refuses a push: \(failure.code)") }
        return count
    }

    /// Queues one push.
    ///
    /// - Returns: False when the queue is full.
    private func put(
        _ number: Int,
        _ producer: Producer,
        _ target: ProducerTopic,
        _ line: inout ByteBuffer
    ) throws -> Bool {
        let token = hex(number, digits: 64)
        let fields: [(PushField, String)] = [
            (.version, "1"), (.apnsTopic, appTopic), (.apnsPushType, "background"), (.apnsPriority, "5"),
            (.apnsExpiration, "\(Clock.wallMillis() / 1_000 + 86_400)"), (.apnsCollapseID, "loc-000123"),
            (.app, "bench"), (.eventID, "bench-event"), (.locationID, "loc-000123"), (.revision, "1"),
            (.queuedAt, "\(Clock.wallMillis())"), (.apnsID, "00000000-0000-5000-8000-\(hex(number, digits: 12))"),
            (.deviceID, "device-\(number)"), (.environment, "production"),
        ]
        let body = unsafe UnsafeRawBufferPointer(start: Self.body.utf8Start, count: Self.body.utf8CodeUnitCount)
        var key = token
        return try key.withUTF8 { bytes in
            let result: ProduceResult
            switch form {
            case .oneHeader:
                line.removeAll()
                for (field, value) in fields {
                    line.append(field.name)
                    line.append(": ")
                    line.append(text: value)
                    line.append("\n")
                }
                let header = unsafe HeaderReference(name: "push", value: line.bytes)
                result = unsafe producer.produce(
                    to: target,
                    key: UnsafeRawBufferPointer(bytes),
                    value: body,
                    header: header,
                    opaque: 0
                )
            case .separateHeaders:
                result = unsafe producer.produce(
                    to: target,
                    key: UnsafeRawBufferPointer(bytes),
                    value: body,
                    headers: fields.map { ("\($0.0.name)", Array($0.1.utf8)) },
                    opaque: 0
                )
            }
            switch result {
            case .queued: return true
            case .queueFull: return false
            case .failed(let code): throw BenchError("Kafka refuses a push: \(code)")
            }
        }
    }

    private func hex(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
