import Testing

@testable import APNsSimulator

struct DeviceRateTests {
    /// The limit, with tokens as text.
    private final class Limit {
        var limit: DeviceRateLimit
        init(_ pushes: Int, _ seconds: Int) { limit = DeviceRateLimit(DeviceRate(pushes: pushes, seconds: seconds)) }
        func admits(_ token: String, at nowMillis: Int64 = 0) -> Bool {
            limit.admit(Array(token.utf8).span, nowMillis: nowMillis)
        }
    }

    @Test func `admits so many pushes to each device, in either case`() {
        let limit = Limit(2, 10)
        #expect(["ab", "AB", "ab", "cd", "Ab"].map { limit.admits($0) } == [true, true, false, true, false])
    }

    @Test func `admits more once the seconds since the first are over`() {
        let limit = Limit(2, 10)
        let times: [Int64] = [0, 9000, 9999, 10_000, 10_001, 10_002]
        #expect(times.map { limit.admits("ab", at: $0) } == [true, true, false, true, true, false])
    }

    @Test func `forgets devices whose seconds are over`() {
        let limit = Limit(1, 1)
        for number in 0..<10_000 { #expect(limit.admits("\(number)", at: Int64(number) * 10)) }
        #expect(limit.limit.count <= 1024)
        #expect(!limit.admits("9999", at: 99_990))
    }

    @Test(arguments: ["", "3", "3/", "/5", "0/5", "3/0", "3/5/7", "-1/5", "3/x", "3/1000001"])
    func `refuses what is no rate`(text: String) {
        #expect(DeviceRate(text) == nil)
    }

    @Test func `reads a rate`() {
        #expect(DeviceRate("3/3600") == DeviceRate(pushes: 3, seconds: 3600))
    }

    @Test func `answers pushes that are too many as APNs does`() throws {
        let simulation = try Simulation { $0.deviceRate = DeviceRate(pushes: 2, seconds: 1_000_000) }
        let client = try simulation.client()
        let tooMany = TestClient.Outcome.rejected(429, "TooManyRequests")
        // What is refused for another reason is not counted.
        #expect(try client.send(simulation.request.with("apns-topic", nil), tag: 1) == .rejected(400, "MissingTopic"))
        #expect(try client.send(simulation.request, tag: 2) == .accepted)
        #expect(try client.send(simulation.request, tag: 3) == .accepted)
        #expect(try client.send(simulation.request, tag: 4) == tooMany)
        #expect(try client.send(simulation.request.to(device: 1), tag: 5) == .accepted)
        #expect(try simulation.client().send(simulation.request) == tooMany)
        #expect(simulation.simulator.summary().rejected == ["MissingTopic": 1, "TooManyRequests": 2])
    }
}
