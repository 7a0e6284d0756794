import HTTP2
import Testing

@testable import APNsSimulator

struct HeldPushesTests {
    private static let now: Int64 = 1_800_000_000
    private static let month: Int64 = 30 * 86_400

    private func expect(
        _ held: HeldPushes,
        at seconds: Int64 = now,
        stored: Int,
        expired: Int,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let (isStored, isExpired) = held.count(nowSeconds: seconds)
        #expect(isStored == stored, sourceLocation: location)
        #expect(isExpired == expired, sourceLocation: location)
    }

    @Test func `keeps the newest push of each registration`() {
        var held = HeldPushes(count: 2)
        for index in [0, 1, 0, 0] { held.hold(index, expirationSeconds: Self.now + 10, nowSeconds: Self.now) }
        expect(held, stored: 2, expired: 0)
        #expect(held.replaced == 2)
    }

    @Test func `lets a push expire at its second`() {
        var held = HeldPushes(count: 1)
        held.hold(0, expirationSeconds: Self.now + 10, nowSeconds: Self.now)
        expect(held, at: Self.now + 9, stored: 1, expired: 0)
        expect(held, at: Self.now + 10, stored: 0, expired: 1)
    }

    @Test func `counts a push once whose room is taken after it expired`() {
        var held = HeldPushes(count: 1)
        held.hold(0, expirationSeconds: Self.now + 10, nowSeconds: Self.now)
        held.hold(0, expirationSeconds: Self.now + 30, nowSeconds: Self.now + 20)
        #expect(held.replaced == 0)
        expect(held, at: Self.now + 20, stored: 1, expired: 1)
    }

    @Test(arguments: [0, 1, now])
    func `does not keep a push that may not be kept, and leaves the older one`(expiration: Int64) {
        var held = HeldPushes(count: 1)
        held.hold(0, expirationSeconds: Self.now + 10, nowSeconds: Self.now)
        held.hold(0, expirationSeconds: expiration, nowSeconds: Self.now)
        expect(held, stored: 1, expired: 1)
        #expect(held.replaced == 0)
    }

    @Test(arguments: [nil, now + 2 * month])
    func `keeps a push for thirty days at most`(expiration: Int64?) {
        var held = HeldPushes(count: 1)
        held.hold(0, expirationSeconds: expiration, nowSeconds: Self.now)
        expect(held, at: Self.now + Self.month - 1, stored: 1, expired: 0)
        expect(held, at: Self.now + Self.month, stored: 0, expired: 1)
    }

    @Test func `counts what a sender was answered apart from what its devices got`() throws {
        let simulation = try Simulation { options in
            options.devices = [
                SimulatedDevice(token: TestRequest.device(1), topic: "com.example.app"),
                SimulatedDevice(token: TestRequest.device(2), topic: "com.example.app", isOnline: false),
                SimulatedDevice(
                    token: TestRequest.device(3),
                    topic: "com.example.app",
                    unregisteredAtMillis: 1,
                    isOnline: false
                ),
            ]
        }
        let client = try simulation.client()
        let lasting = simulation.request.with("apns-expiration", nil)
        var tag: UInt32 = 0
        for request in [
            lasting.to(device: 1), lasting.to(device: 2), lasting.to(device: 2), lasting.to(device: 3),
            lasting.to(device: 2).with("apns-expiration", "0"),
        ] {
            tag += 1
            _ = try client.send(request, tag: tag)
        }
        simulation.setFault { _, then in then.status = 503 }
        _ = try client.send(lasting.to(device: 2), tag: 6)
        let summary = simulation.simulator.summary()
        #expect(summary.accepted == 4)
        #expect(summary.delivered == 1)
        #expect(summary.stored == 1)
        #expect(summary.replaced == 1)
        #expect(summary.expired == 1)
        #expect(simulation.simulator.stop() == summary)
    }
}
