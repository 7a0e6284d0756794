import Testing

@testable import APNsSimulator

struct DeviceRegistryTests {
    private func find(_ devices: [SimulatedDevice], _ token: String, _ topic: String) -> DeviceRegistry.Answer {
        let registry = DeviceRegistry(devices, environment: .production)
        return registry.find(Array(token.utf8).span, topic: Array(topic.utf8).span)
    }

    @Test func `knows nobody when it is empty`() {
        #expect(find([], "ab", "a") == .unknown)
    }

    @Test func `finds every device among many`() {
        let devices = (0..<5000).map { SimulatedDevice(token: String($0 + 0x10000, radix: 16), topic: "t\($0 % 3)") }
        let registry = DeviceRegistry(devices, environment: .production)
        for device in devices {
            let answer = registry.find(Array(device.token.utf8).span, topic: Array(device.topic.utf8).span)
            #expect(answer == .registered)
        }
    }

    @Test func `compares tokens in either case`() {
        #expect(find([SimulatedDevice(token: "AbCd", topic: "a")], "aBcD", "a") == .registered)
    }

    @Test func `answers by token and topic`() {
        let devices = [
            SimulatedDevice(token: "ab", topic: "a", unregisteredAtMillis: 5), SimulatedDevice(token: "ab", topic: "b"),
        ]
        #expect(find(devices, "ab", "a") == .unregistered(atMillis: 5))
        #expect(find(devices, "ab", "b") == .registered)
        #expect(find(devices, "ab", "c") == .otherTopic)
    }

    @Test func `tells the devices that are offline by an index for each`() {
        let devices = [
            SimulatedDevice(token: "ab", topic: "a", isOnline: false), SimulatedDevice(token: "ab", topic: "b"),
            SimulatedDevice(token: "cd", topic: "a", isOnline: false),
            SimulatedDevice(token: "ef", topic: "a", isOnline: false), SimulatedDevice(token: "ef", topic: "a"),
        ]
        let registry = DeviceRegistry(devices, environment: .production)
        func offline(_ token: String, _ topic: String) -> Int? {
            registry.offline(Array(token.utf8).span, topic: Array(topic.utf8).span)
        }
        #expect(offline("AB", "a") != nil)
        #expect(offline("cd", "a") != nil)
        #expect(offline("ab", "a") != offline("cd", "a"))
        for (token, topic) in [("ab", "b"), ("ab", "c"), ("ef", "a"), ("00", "a")] {
            #expect(offline(token, topic) == nil)
        }
        #expect(registry.count == 5)
    }

    @Test func `reads one device a line`() throws {
        let text = """
            {"token":"ab","topic":"a"}

            {"token":"cd","topic":"a","environment":"sandbox","unregisteredAt":1799000000123}
            {"token":"ef","topic":"a","unregisteredAt":"2027-01-15T08:00:00.250Z"}
            {"token":"0f","topic":"a","unregisteredAt":"2027-01-15T08:00:00Z"}
            {"token":"1f","topic":"a","unregisteredAt":null,"online":false}
            """
        let devices = try SimulatedDevice.read(Array(text.utf8))
        #expect(devices.map(\.token) == ["ab", "cd", "ef", "0f", "1f"])
        #expect(devices[1].environment == .sandbox)
        #expect(devices.map(\.isOnline) == [true, true, true, true, false])
        let times = [nil, 1_799_000_000_123, 1_800_000_000_250, 1_800_000_000_000, nil] as [Int64?]
        #expect(devices.map(\.unregisteredAtMillis) == times)
    }

    @Test(
        arguments: [
            ("{", "devices, line 2: "), (#"{"token":"ab"}"#, "devices, line 2: topic is missing"),
            (#"{"token":1,"topic":"a"}"#, "devices, line 2: token: expected String"),
            (#"{"token":"a","topic":"a","environment":"x"}"#, "devices, line 2: environment: "),
            (#"{"token":"a","topic":"a","online":"no"}"#, "devices, line 2: online: expected Bool"),
            (#"{"token":"a","topic":"a","unregisteredAt":"x"}"#, "devices, line 2: unregisteredAt: expected"),
        ]
    )
    func `names the line that is wrong`(line: String, expected: String) {
        #expect {
            try SimulatedDevice.read(Array("{\"token\":\"ab\",\"topic\":\"a\"}\n\(line)".utf8))
        } throws: { "\($0)".hasPrefix(expected) }
    }
}
