import Cryptography
import EventLoop
import HTTP2

@testable import APNsSimulator

/// A running simulator with a key, and requests that it takes.
struct Simulation {
    let simulator: APNsSimulator
    let request: TestRequest
    let key: P256.SigningKey

    init(_ change: (inout SimulatorOptions) -> Void = { _ in }) throws {
        key = try P256.SigningKey()
        var options = SimulatorOptions()
        options.answersKept = 10_000
        options.signingKeys = [
            SimulatorSigningKey(teamID: "TEAMIDENT1", keyID: "KEYIDENT01", pem: Array(try key.pem().utf8))
        ]
        change(&options)
        simulator = try APNsSimulator(options)
        try simulator.start()
        request = TestRequest(token: try TestToken(iat: Clock.wallMillis() / 1000 - 60).signed(by: key))
    }

    func client() throws -> TestClient { try TestClient(simulator) }

    /// A client whose limit of streams is lifted.
    func trustedClient() throws -> TestClient {
        let client = try client()
        _ = try client.send(request, tag: 1_000_000)
        try client.run(until: { $0.connection.streamLimit > 1 })
        return client
    }

    /// Opens many requests at once, with tags from 1 up and device tokens made from them.
    func submit(_ count: Int, on client: TestClient) {
        for tag in 1...count { client.submit(request.to(device: tag), tag: UInt32(tag)) }
    }

    func setFault(_ fill: (inout FaultRule.Match, inout FaultRule.Then) -> Void) {
        simulator.setFaults([FaultRule(fill)])
    }

    /// Sets rules as they stand in a file.
    func setFaults(_ json: String) throws {
        simulator.setFaults(try FaultRule.read(Array(json.utf8)))
    }
}

extension TestRequest {
    static func device(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    func to(device number: Int) -> TestRequest { with(":path", "/3/device/\(Self.device(number))") }
}

extension TestClient.Outcome {
    static let accepted = TestClient.Outcome.answer(status: 200, body: "", retryAfter: -1)

    static func rejected(_ status: UInt16, _ reason: String) -> TestClient.Outcome {
        .answer(status: status, body: #"{"reason":"\#(reason)"}"#, retryAfter: -1)
    }
}
