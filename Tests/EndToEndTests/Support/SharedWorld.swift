import APNsSimulator
import EndToEndSupport
import Pipeline
import Testing

/// One world with one worker for all tests of a suite, which use different tokens.
struct SharedWorld: SuiteTrait, TestScoping {
    @TaskLocal private static var current: World?

    /// The world of the running test.
    static var world: World { get throws { try #require(current) } }

    @concurrent
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let world = try World { options in
            options.devices = Self.devices
            options.faults = ScriptedToken.allCases.flatMap(\.faults)
        }
        try world.simulator.start()
        let worker = try world.startWorker()
        try await worker.ready()
        // Until its first good answer a connection carries one push at a time.
        try world.publisher.publish([Pushes.silent(TestTokens.known(9_999))], to: world.topics.pushes)
        _ = try await world.receipts.wait(for: 1, "a first receipt")
        try await Self.$current.withValue(world) { try await function() }
        await worker.stop()
        world.simulator.stop()
    }

    private static var devices: [SimulatedDevice] {
        let known = (1...20_000).map(TestTokens.known) + ScriptedToken.allCases.map(\.rawValue)
        return known.map { SimulatedDevice(token: $0, topic: World.appTopic) }
            + (1...20).map {
                SimulatedDevice(
                    token: TestTokens.gone($0),
                    topic: World.appTopic,
                    unregisteredAtMillis: World.goneAtMillis
                )
            }
    }
}

extension Trait where Self == SharedWorld {
    /// Runs the suite in one world.
    static var sharedWorld: SharedWorld { SharedWorld() }
}

/// Tokens at which something goes wrong once, each for one test.
enum ScriptedToken: String, CaseIterable {
    case slowOnce = "5c01"
    case slowTwice = "5c05"
    case busyOnce = "5c02"
    case throttledOnce = "5c03"
    case refusedTwice = "5c04"

    var faults: [FaultRule] {
        [
            FaultRule { match, then in
                match.token = rawValue
                match.count = 1
                switch self {
                case .slowOnce: then.delayMillis = 500
                case .slowTwice:
                    match.count = 2
                    then.delayMillis = 500
                case .busyOnce:
                    then.reason = "ServiceUnavailable"
                    then.status = 503
                    then.retryAfter = 1
                case .throttledOnce:
                    then.reason = "TooManyRequests"
                    then.status = 429
                    then.retryAfter = 1
                case .refusedTwice:
                    match.count = 2
                    then.refuse = true
                }
            }
        ]
    }
}
