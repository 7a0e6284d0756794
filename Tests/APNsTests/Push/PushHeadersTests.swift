import APNs
import HTTP2
import Testing

@Suite struct `Push headers` {
    @Test func `are those of Apple, in order`() throws {
        var push = Push()
        push.pushType = "alert"
        push.priority = "10"
        push.expiration = "1796115600"
        push.collapseID = "tokyo-station"
        push.apnsID = "2ed6657d-e927-568b-95e1-2665a8aea6a2"
        #expect(
            try write(push) == [
                ":method: POST", ":scheme: https", ":authority: api.push.apple.com", ":path: /3/device/\(push.token)",
                "authorization: bearer x.y.z", "apns-topic: com.example.shop", "apns-push-type: alert",
                "apns-priority: 10", "apns-expiration: 1796115600", "apns-collapse-id: tokyo-station",
                "apns-id: 2ed6657d-e927-568b-95e1-2665a8aea6a2",
            ]
        )
    }

    @Test func `say everything that APNs would else decide for a silent push`() throws {
        #expect(
            try write(Push()).suffix(4) == [
                "apns-topic: com.example.shop", "apns-push-type: background", "apns-priority: 5",
                "apns-expiration: 1234",
            ]
        )
    }

    @Test func `carry an expiration of 0`() throws {
        var push = Push()
        push.expiration = "0"
        #expect(try write(push).contains("apns-expiration: 0"))
        push.expiration = "100000000000"
        #expect(try write(push).contains("apns-expiration: 100000000000"))
        push.expiration = "0000000012"
        #expect(try write(push).contains("apns-expiration: 12"))
    }

    @Test func `leave out what is absent, also after a push that had it`() throws {
        var headers = PushHeaders(authority: "a")
        var full = Push()
        full.collapseID = "c"
        full.apnsID = "2ed6657d-e927-568b-95e1-2665a8aea6a2"
        #expect(try write(full, with: &headers).count == 11)
        #expect(try write(Push(), with: &headers).count == 9)
        full.collapseID = ""
        #expect(try write(full, with: &headers).last == "apns-id: 2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    @Test(arguments: ["0A", String(repeating: "aB", count: 256), String(repeating: "09", count: 80)])
    func `name the device token in lower case, of any length`(token: String) throws {
        var push = Push()
        push.token = token
        #expect(try write(push).contains(":path: /3/device/\(token.lowercased())"))
    }

    @Test func `are indexed but for the path, the token and the id`() throws {
        var headers = PushHeaders(authority: "a")
        var push = Push()
        push.collapseID = "c"
        push.apnsID = "2ed6657d-e927-568b-95e1-2665a8aea6a2"
        let written = try list(push, with: &headers)
        #expect(written.filter { !$0.isIndexed }.map(\.name) == [":path", "authorization", "apns-id"])
        #expect(written.filter(\.isCopied).map(\.name) == [":path", "authorization", "apns-expiration"])
    }

    private func write(_ push: Push) throws -> [String] {
        var headers = PushHeaders(authority: "api.push.apple.com")
        return try write(push, with: &headers)
    }

    private func write(_ push: Push, with headers: inout PushHeaders) throws -> [String] {
        try list(push, with: &headers).map { "\($0.name): \($0.value)" }
    }

    private func list(_ push: Push, with headers: inout PushHeaders) throws -> [RequestHeaders.Header] {
        var list: [RequestHeaders.Header] = []
        try push.request { request in
            Array("bearer x.y.z".utf8).withUnsafeBytes { authorization in
                var written = RequestHeaders(capacity: 16)
                headers.write(request, authorization: authorization, to: &written)
                list = (0..<written.count).map { written[$0] }
            }
        }
        return list
    }
}
