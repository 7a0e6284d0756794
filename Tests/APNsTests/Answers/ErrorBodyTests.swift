import APNs
import Testing

@Suite struct `Body of an error` {
    @Test(
        arguments: [
            (#"{"reason":"BadDeviceToken"}"#, "BadDeviceToken", nil),
            (#"{"reason":"Unregistered","timestamp":1454402113000}"#, "Unregistered", 1_454_402_113_000),
            (#"{"timestamp":1454402113000,"reason":"Unregistered"}"#, "Unregistered", 1_454_402_113_000),
            (" \r\n{ \"reason\" :\t\"BadTopic\" ,\n \"timestamp\" : 7 } \n", "BadTopic", 7),
            ("\u{FEFF}{\"reason\":\"BadTopic\"}", "BadTopic", nil),
            (
                #"{"a":{"reason":"Inner","timestamp":1},"b":["x","}",{"reason":"Inner"}],"reason":"Outer"}"#, "Outer",
                nil
            ),
            (#"{"a":"\"reason\":\"Inner\"","reason":"Outer"}"#, "Outer", nil),
            (#"{"a":"\\","reason":"Outer"}"#, "Outer", nil),
            (#"{"a":true,"b":null,"c":-1.5e9,"d":1.5,"e":[],"f":{},"reason":"Outer"}"#, "Outer", nil),
            (#"{"reason":"First","reason":"Last"}"#, "Last", nil),
            (#"{"reason":"Escaped \" quote"}"#, #"Escaped \" quote"#, nil),
            (#"{"reason":"BadTopic","timestamp":12.75}"#, "BadTopic", 12),
            (#"{"reason":"BadTopic","timestamp":9223372036854775807}"#, "BadTopic", Int64.max),
            (#"{"reason":"BadTopic","timestamp":0}"#, "BadTopic", 0),
        ] as [(String, String, Int64?)]
    )
    func `gives reason and timestamp`(body: String, reason: String, timestamp: Int64?) {
        let (found, body) = read(body)
        #expect(found.map { "\($0)" } == reason)
        #expect(body.timestampMillis == timestamp)
    }

    @Test(arguments: [
        "", " ", "{", "}", "{}", "[]", "null", "\"reason\"", "0", "{\"reason\"", "{\"reason\":", "{\"reason\":}",
        "{\"reason\":\"", "{\"reason\":\"BadDev", "{\"reason\":\"BadDev\\", "{\"reason\":\"\"}", "{\"reason\":7}",
        "{\"reason\":null}", "{\"reason\":[\"BadTopic\"]}", "{\"Reason\":\"BadTopic\"}", "{\"reason \":\"BadTopic\"}",
        "{'reason':'BadTopic'}", "{reason:\"BadTopic\"}", "[{\"reason\":\"BadTopic\"}]", "{{\"reason\":\"BadTopic\"}}",
        "{\"error\":{\"reason\":\"BadTopic\"}}", "{\"a\" \"reason\":\"BadTopic\"}", "reason=BadTopic",
        "<html><head><title>502 Bad Gateway</title></head><body>{\"reason\":\"BadTopic\"}</body></html>",
        "Maximum active streams violated for this endpoint.", "\u{0}\u{0}", "{\"a\":[[[[[[", "{\"a\":\"\\",
    ])
    func `gives no reason where there is none`(body: String) {
        #expect(read(body).0 == nil)
        #expect(read(body).1.timestampMillis == nil)
    }

    @Test(arguments: [
        "-1", "1e12", "1.5E3", "9223372036854775808", "99999999999999999999999", "\"1454402113000\"", "true", "null",
        "",
        "[1]",
    ])
    func `gives the reason without a timestamp that is no whole number`(timestamp: String) {
        let (reason, body) = read("{\"timestamp\":\(timestamp),\"reason\":\"Unregistered\"}")
        #expect(reason == .known(.unregistered))
        #expect(body.timestampMillis == nil)
    }

    @Test func `reads what came of a body that is cut short`() {
        let whole = #"{"reason":"Unregistered","timestamp":1454402113000}"#
        for count in 0...whole.utf8.count {
            let (reason, body) = read(String(whole.prefix(count)))
            #expect(reason == (count < 24 ? nil : .known(.unregistered)))
            if count < 38 { #expect(body.timestampMillis == nil) }
        }
    }

    @Test func `does not trip over deep nesting`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(read("{\"a\":\(deep)").0 == nil)
        #expect(read("{\"a\":\(deep)\(deep.map { _ in "]" }.joined()),\"reason\":\"BadTopic\"}").0 == .known(.badTopic))
    }

    @Test func `does not trip over any bytes`() {
        var random: UInt64 = 42
        let alphabet = Array("{}[]\",:\\reason timestamp0129.-eE\u{0}\u{7F}".utf8) + [0xFF, 0xC3]
        for _ in 0..<20_000 {
            var bytes = Array("{".utf8)
            random = random &* 6_364_136_223_846_793_005 &+ 1
            for _ in 0..<(random >> 33) % 40 {
                random = random &* 6_364_136_223_846_793_005 &+ 1
                bytes.append(alphabet[Int((random >> 33) % UInt64(alphabet.count))])
            }
            _ = bytes.withUnsafeBytes { ErrorBody($0).reason(in: $0) }
        }
    }

    private func read(_ text: String) -> (Reason?, ErrorBody) {
        Array(text.utf8).withUnsafeBytes { bytes in
            let body = ErrorBody(bytes)
            return (body.reason(in: bytes), body)
        }
    }
}
