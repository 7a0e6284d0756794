import HTTP2

@testable import APNsSimulator

/// A request that APNs would take, to be spoilt in one place.
struct TestRequest {
    static let wallMillis: Int64 = 1_800_000_000_000
    static let deviceToken = String(repeating: "ab", count: 32)

    var fields: [(name: String, value: String)]
    var body = Array(#"{"aps":{"content-available":1}}"#.utf8)

    init(token: String) {
        fields = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(Self.deviceToken)"),
            ("host", "localhost"), ("authorization", "bearer \(token)"), ("apns-topic", "com.example.app"),
            ("apns-push-type", "background"), ("apns-priority", "5"), ("apns-expiration", "1800000600"),
            ("apns-collapse-id", "place-1"), ("apns-id", "3e8ed0f6-6a2c-5f6d-9a52-2e2b1f8f9a11"),
        ]
    }

    subscript(_ name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            let index = fields.firstIndex { $0.name == name }
            if let index, let newValue {
                fields[index].value = newValue
            } else if let index {
                fields.remove(at: index)
            } else if let newValue {
                fields.append((name, newValue))
            }
        }
    }

    /// Changes one field; nil removes it.
    func with(_ name: String, _ value: String?) -> TestRequest {
        var copy = self
        copy[name] = value
        return copy
    }

    func with(body: String) -> TestRequest {
        var copy = self
        copy.body = Array(body.utf8)
        return copy
    }

    /// Judges the request as the first of its connection.
    func verdict(_ judge: RequestJudge) -> Verdict {
        var tokens = ConnectionTokens()
        return verdict(judge, &tokens)
    }

    func verdict(_ judge: RequestJudge, _ tokens: inout ConnectionTokens, nowMillis: Int64 = 0) -> Verdict {
        let request = ServerRequest(fields: fields, body: body)
        return judge.verdict(
            on: request,
            PushHead(request),
            &tokens,
            nowMillis: nowMillis,
            wallMillis: Self.wallMillis + nowMillis
        )
    }
}
