import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import Events
import HTTPTestSupport
import Kafka
import Observability
import Operations
import Pipeline
import Testing

/// `/metrics` says what receipts and dead letters say.
@Suite(.blocks)
struct MetricsTests {
    @Test func `the counters agree with the receipts`() async throws {
        let world = try World { options in
            options.devices =
                (1...50).map { SimulatedDevice(token: TestTokens.known($0), topic: World.appTopic) }
                + [
                    SimulatedDevice(
                        token: TestTokens.gone(1),
                        topic: World.appTopic,
                        unregisteredAtMillis: World.goneAtMillis
                    )
                ]
            options.faults = [
                FaultRule { match, then in
                    match.token = TestTokens.known(2)
                    match.count = 1
                    then.status = 400
                    then.reason = "BrandNewReason"
                }
            ]
        }
        try world.simulator.start()
        let worker = try world.startWorker()
        let admin = try Admin(worker)
        let devices = [EventJSON.device(TestTokens.known(3)), EventJSON.device("zz")]
        let events = [
            EventJSON.location("ginza", revision: 1, devices: devices),
            EventJSON.location("kanda", revision: 1, devices: devices, more: #","expiresAt":"2020-01-01T00:00:00Z""#),
            "{",
        ]
        let keys = ["ginza", "kanda", "broken"]
        try world.publisher.publish(
            zip(keys, events).map { Message(key: $0, value: $1) },
            to: world.topics.locationEvents
        )
        let pushes =
            (1...40).map { Pushes.silent(TestTokens.known($0)) }
            + [
                Pushes.silent(TestTokens.gone(1)), Pushes.silent(TestTokens.unknown(1)),
                Pushes.silent(TestTokens.known(41), headers: [("apns-priority", "7")]),
                Pushes.silent(TestTokens.known(42), headers: [("apns-expiration", "1000000000")]),
                // Anybody's number.
                Pushes.silent(TestTokens.known(43), headers: [("queued-at", "\(Int64.min)")]),
                Pushes.silent(TestTokens.known(44), headers: [("queued-at", "\(Int64.max)")]),
            ]
        try world.publisher.publish(pushes, to: world.topics.pushes)
        _ = try await world.receipts.wait(for: pushes.count + 3, "receipts")
        let receipts = try await world.settle()

        var expected: [String: Double] = [:]
        for receipt in receipts.map(\.receipt) {
            let reason = receipt.reason == "BrandNewReason" ? "other" : receipt.reason ?? ""
            expected["geopush_pushes_total{status=\"\(receipt.status)\",reason=\"\(reason)\"}", default: 0] += 1
        }
        var metrics: [String: Double] = [:]
        // What is no count is said a few times a second.
        try await eventually("nothing is in flight") {
            metrics = try admin.metrics()
            return metrics["geopush_pushes_in_flight"] == 0 && metrics["geopush_connections"] == 1
        }
        let counted = metrics.filter { $0.key.hasPrefix("geopush_pushes_total{") && $0.value > 0 }
        #expect(counted == expected)
        #expect(expected.count >= 7)
        try checkRest(metrics, receipts.map(\.receipt))
        await worker.stop()
    }

    private func checkRest(_ metrics: [String: Double], _ receipts: [Receipt]) throws {
        let answered = Double(receipts.count { $0.answeredAt != nil })
        #expect(metrics["geopush_push_queued_to_answered_seconds_count"] == answered)
        #expect(metrics["geopush_push_sent_to_answered_seconds_count"] == answered)
        #expect(metrics["geopush_receipt_acknowledged_seconds_count"] ?? 0 >= 1)
        #expect(metrics[#"geopush_events_total{type="location.updated",outcome="pushed"}"#] == 1)
        #expect(metrics[#"geopush_events_total{type="location.updated",outcome="expired"}"#] == 1)
        #expect(metrics[#"geopush_events_total{type="unknown",outcome="dead-lettered"}"#] == 1)
        #expect(metrics[#"geopush_dead_letters_total{code="geopush:malformed-json"}"#] == 1)
        #expect(metrics["geopush_pushes_queued_total"] == 1)
        #expect(metrics["geopush_event_age_seconds_count"] == 1)
        #expect(metrics[#"geopush_assigned_partitions{stage="delivery"}"#] == Double(World.partitions))
        #expect(metrics[#"geopush_commits_total{result="acknowledged"}"#] ?? 0 >= 1)
        #expect(metrics[#"geopush_build_info{version="1.2.3",librdkafka="\#(LibraryVersion.text)"}"#] == 1)
        let age = try #require(metrics[#"geopush_provider_token_age_seconds{team="TEAMIDENT1",key="KEYIDENT01"}"#])
        #expect(age >= 0 && age < 3_600)
    }

    @Test func `each metric is described once, and none is written that is not`() async throws {
        let world = try World()
        let worker = try world.startWorker()
        let admin = try Admin(worker)
        let text = try admin.client.get("/metrics")
        #expect(text.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        let types = text.body.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        #expect(types == Worker.metrics.map { "# TYPE \($0.name) \($0.kind.rawValue)" })
        let names = text.body.split(separator: "\n").filter { $0.first != "#" }.map { line in
            String(line.prefix { $0 != "{" && $0 != " " })
        }
        for name in Set(names) {
            #expect(Worker.metrics.contains { name == $0.name || name.hasPrefix("\($0.name)_") }, "\(name)")
        }
        await worker.stop()
    }
}
