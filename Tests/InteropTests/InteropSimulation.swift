import APNsSimulator
import Cryptography
import EventLoop
import Foundation

/// A running simulator with a key and three devices: one that is there, one that is gone, one of another app.
struct InteropSimulation {
    static let topic = "com.example.app"
    static let known = String(repeating: "0a", count: 32)
    static let gone = String(repeating: "0b", count: 32)
    static let other = String(repeating: "0c", count: 32)
    static let body = #"{"aps":{"content-available":1},"locationId":"東京駅"}"#

    let simulator: APNsSimulator
    let key: P256.SigningKey
    let authorization: String

    init(_ change: (inout SimulatorOptions) -> Void = { _ in }) throws {
        key = try P256.SigningKey()
        var options = SimulatorOptions()
        options.answersKept = 10_000
        options.apps = [Self.topic]
        options.signingKeys = [
            SimulatorSigningKey(teamID: "TEAMIDENT1", keyID: "KEYIDENT01", pem: Array(try key.pem().utf8))
        ]
        options.devices = [
            SimulatedDevice(token: Self.known, topic: Self.topic),
            SimulatedDevice(token: Self.gone, topic: Self.topic, unregisteredAtMillis: 1_799_000_000_123),
            SimulatedDevice(token: Self.other, topic: "com.example.other"),
        ]
        change(&options)
        simulator = try APNsSimulator(options)
        try simulator.start()
        authorization = "bearer \(try Self.token(key))"
    }

    private static func token(_ key: P256.SigningKey) throws -> String {
        func encoded(_ bytes: [UInt8]) -> String {
            String(decoding: Base64.encode(bytes, alphabet: .url), as: UTF8.self)
        }
        let claims = #"{"iss":"TEAMIDENT1","iat":\#(Clock.wallMillis() / 1000 - 60)}"#
        let text = encoded(Array(#"{"alg":"ES256","kid":"KEYIDENT01"}"#.utf8)) + "." + encoded(Array(claims.utf8))
        return text + "." + encoded(try key.sign(Array(text.utf8)))
    }

    /// The fields of a silent push.
    var headers: [String: String] {
        [
            "authorization": authorization, "apns-topic": Self.topic, "apns-push-type": "background",
            "apns-priority": "5", "apns-expiration": "1900000000", "apns-collapse-id": "place-1",
        ]
    }

    func url(_ token: String) -> String { "https://localhost:\(simulator.port)/3/device/\(token)" }
}
