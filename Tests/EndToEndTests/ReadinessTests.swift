import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import Events
import HTTP2
import HTTPTestSupport
import Kafka
import Operations
import Pipeline
import Testing

/// `/readyz` turns with what a worker depends on, and turns back.
@Suite(.blocks)
struct ReadinessTests {
    @Test func `turns when APNs is away, and back when it is there again`() async throws {
        let world = try World()
        let port = try ReservedPort()
        func startAPNs() throws -> APNsSimulator {
            var options = SimulatorOptions()
            options.listen = ListenAddress(host: "127.0.0.1", port: port.number)
            options.tlsDirectory = world.folder.file("tls")
            let simulator = try APNsSimulator(options)
            try simulator.start()
            return simulator
        }
        let first = try startAPNs()
        let worker = try world.startWorker([.delivery], apnsPort: port.number)
        let admin = try Admin(worker)
        try await admin.ready()
        try world.publisher.publish([Pushes.silent(TestTokens.known(1))], to: world.topics.pushes)
        _ = try await world.receipts.wait(for: 1, "a receipt")

        first.stop()
        let reason = try await admin.unready("apns-unreachable")
        #expect(reason.stage == "delivery-0")
        #expect(reason.detail == "localhost:\(port.number)")
        #expect(try admin.client.get("/livez").status == 200)
        #expect(!worker.worker.readiness.isReady)
        try await eventually("an attempt that failed") {
            try admin.metrics()[#"geopush_connection_events_total{event="failed"}"#] ?? 0 >= 1
        }

        let second = try startAPNs()
        try await admin.ready()
        #expect(try admin.metrics()[#"geopush_connection_events_total{event="opened"}"#] ?? 0 >= 2)
        await worker.stop()
        second.stop()
    }

    @Test func `turns with a wrong key, and back with the right one`() async throws {
        let world = try World(checksKey: true)
        try world.simulator.start()
        let rightKey = world.folder.text("key.p8")
        let worker = try world.startWorker([.delivery])
        let admin = try Admin(worker)
        try await admin.ready()

        _ = try world.folder.writeProviderKey()
        // Whether a key is right shows with a push only.
        var number = 0
        var found: Admin.Readiness.Reason?
        var last = ""
        try await eventually("the key is halted", state: { last }) {
            number += 1
            try world.publisher.publish([Pushes.silent(TestTokens.known(number))], to: world.topics.pushes)
            last = "\(number) pushes, \(try admin.client.get("/readyz").body)"
            found = try admin.readiness().reasons.first { $0.code == "key-halted" }
            return found != nil
        }
        #expect(found?.detail == "TEAMIDENT1/KEYIDENT01: credential")
        #expect(try admin.client.get("/livez").status == 200)

        try world.folder.write(rightKey, to: "key.p8")
        try await admin.ready()
        let receipts = try await world.receipts.wait(for: number, "receipts")
        #expect(receipts.allSatisfy { $0.receipt.status == "accepted" })
        #expect(try admin.metrics()[#"geopush_apns_answers_total{disposition="haltKey"}"#] ?? 0 >= 1)
        await worker.stop()
    }

    @Test func `turns when the broker is away, and back when it is there again`() async throws {
        let world = try World()
        try world.simulator.start()
        let worker = try world.startWorker()
        let admin = try Admin(worker)
        try await admin.ready()
        #expect(try admin.readiness().stages.map(\.name) == ["delivery-0", "intake"])

        try world.cluster.stopBroker(-1)
        let reason = try await admin.unready("kafka-unreachable")
        #expect(reason.stage == "worker")
        #expect(try admin.client.get("/livez").status == 200)

        try world.cluster.startBroker(-1)
        try await admin.ready()
        let errors = try admin.metrics().filter { $0.key.hasPrefix("geopush_kafka_errors_total{") }
        #expect(errors.values.reduce(0, +) >= 1)
        await worker.stop()
    }

    @Test func `says what the start waits for, and that the worker stops`() async throws {
        let world = try World()
        let worker = try world.startWorker([.delivery])
        let admin = try Admin(worker)
        // Nobody is there who answers as APNs.
        let reason = try await admin.unready("apns-unreachable")
        #expect(reason.stage == "delivery-0")
        #expect(try await admin.unready("starting").stage == "delivery-0")
        await worker.stop()
        #expect(try await admin.unready("stopping").stage == "worker")
        #expect(try admin.client.get("/livez").body.contains("\"threads\":[]"))
    }

    @Test func `knows its paths and their methods only`() async throws {
        let world = try World()
        let worker = try world.startWorker([.delivery])
        let admin = try Admin(worker)
        for path in ["/", "/metrics/", "/healthz", "/readyz/x"] { #expect(try admin.client.get(path).status == 404) }
        for path in ["/livez", "/readyz", "/metrics"] {
            let answer = try admin.client.send("POST", path, body: [1])
            #expect(answer.status == 405)
            #expect(answer.header("allow") == "get, head")
            let head = try admin.client.send("HEAD", path)
            #expect(head.status != 405 && head.body.isEmpty)
        }
        await worker.stop()
    }
}
