internal import EventLoop
internal import Events
internal import Kafka

/// Fills a topic of location events: what a bench has intake turn into pushes.
final class EventLoad {
    private static let contentType = "application/cloudevents+json"

    private let producer: Producer
    private let topic: ProducerTopic
    private let devicesPerEvent: Int
    private var reports = DeliveryReports(capacity: 4_096)
    private var acknowledged = 0
    private var value = ByteBuffer(capacity: 1 << 18)

    /// Makes a producer.
    ///
    /// - Parameters:
    ///   - topics: Where to write.
    ///   - devicesPerEvent: How many devices each event names.
    ///   - lingerMillis: How long an event may wait for others.
    /// - Throws: When the topic does not exist or no broker answers.
    init(_ topics: BenchTopics, devicesPerEvent: Int, lingerMillis: Int) throws {
        var settings = KafkaSettings(bootstrapServers: topics.bootstrapServers, clientID: "geopush-bench-load")
        settings.set("linger.ms", "\(lingerMillis)")
        producer = try Producer(settings, signal: nil)
        topic = try producer.topic(topics.events)
        self.devicesPerEvent = devicesPerEvent
    }

    /// Writes as many events as name so many devices, each once, and waits until Kafka has them.
    func write(pushes: Int) throws {
        let events = (pushes + devicesPerEvent - 1) / devicesPerEvent
        for number in 0..<events {
            let first = number * devicesPerEvent
            try put(number, devices: first..<min(first + devicesPerEvent, pushes))
        }
        try finish(events)
    }

    /// Queues one event.
    ///
    /// - Parameters:
    ///   - number: Its own number; its place is one of a million.
    ///   - devices: The numbers of its devices.
    /// - Throws: When Kafka refuses an event.
    func put(_ number: Int, devices: Range<Int>) throws {
        write(number, devices: devices)
        let key = Array("place-\(number % 1_000_000)".utf8)
        while true {
            let result = unsafe key.withUnsafeBytes { key in
                unsafe producer.produce(
                    to: topic,
                    key: key,
                    value: value.bytes,
                    headers: [("content-type", Array(Self.contentType.utf8))],
                    opaque: 0
                )
            }
            switch result {
            case .queued: return try poll(timeoutMillis: 0)
            case .queueFull: try poll(timeoutMillis: 10)
            case .failed(let code): throw BenchError("Kafka refuses an event: \(code)")
            }
        }
    }

    /// Waits until Kafka has all events that were queued.
    func finish(_ events: Int) throws {
        let deadline = Clock.monotonicMillis() + 60_000
        while acknowledged < events {
            try poll(timeoutMillis: 100)
            guard Clock.monotonicMillis() < deadline else { throw BenchError("Kafka took \(acknowledged) events") }
        }
    }

    private func poll(timeoutMillis: Int) throws {
        acknowledged += producer.pollReports(&reports, timeoutMillis: timeoutMillis)
        if let failure = reports.failures.first { throw BenchError("Kafka refuses an event: \(failure.code)") }
    }

    private func write(_ number: Int, devices: Range<Int>) {
        value.removeAll()
        value.append(
            text: """
                {"specversion":"1.0","type":"location.updated","source":"/backend/store-admin","id":"bench-\(number)",\
                "time":"2026-12-01T09:30:00.000Z","datacontenttype":"application/json","data":{\
                "locationId":"place-\(number % 1_000_000)","revision":42,"name":"新宿店","latitude":35.696174,\
                "longitude":139.68951,"radius":150.0,"notifyOnEntry":true,"notifyOnExit":false,"repeats":false,\
                "notification":{"body":"近くでセール開催中！","sound":"default","badge":1},\
                "app":"\(BenchTopics.appID)","audience":{"devices":[
                """
        )
        for device in devices {
            if device > devices.lowerBound { value.append(",") }
            value.append("{\"token\":\"")
            Self.appendToken(device, to: &value)
            value.append("\",\"deviceId\":\"ins-")
            value.append(decimal: Int64(device))
            value.append("\"}")
        }
        value.append("]}}}")
    }

    /// The token of a device: 64 digits that look like chance and are the same in every run.
    static func token(_ device: Int) -> String {
        var text = ByteBuffer(capacity: 64)
        appendToken(device, to: &text)
        return unsafe String(decoding: text.bytes, as: UTF8.self)
    }

    private static func appendToken(_ device: Int, to text: inout ByteBuffer) {
        // The first sixteen digits are the number itself, so that a token tells its device.
        var word = UInt64(truncatingIfNeeded: device)
        for _ in 0..<4 {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
                text.append(digit < 10 ? digit + 0x30 : digit + 0x57)
            }
            // SplitMix64.
            word &+= 0x9E37_79B9_7F4A_7C15
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
        }
    }
}
