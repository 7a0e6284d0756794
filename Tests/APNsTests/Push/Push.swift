import APNs

/// A push as text, lent as bytes; a good one unless changed.
struct Push {
    var token = String(repeating: "0a", count: 32)
    var topic = "com.example.shop"
    var pushType = ""
    var priority = ""
    var expiration = ""
    var collapseID = ""
    var apnsID = ""
    var body = "{}"

    func request(_ body: (PushRequest) throws -> Void) throws {
        let texts = [token, topic, pushType, priority, expiration, collapseID, apnsID, self.body]
        let block = Array(texts.joined().utf8)
        try block.withUnsafeBytes { bytes in
            var start = 0
            let parts = texts.map { text in
                defer { start += text.utf8.count }
                return UnsafeRawBufferPointer(rebasing: bytes[start..<start + text.utf8.count])
            }
            var fields = PushFields()
            fields.token = parts[0]
            fields.topic = parts[1]
            fields.pushType = parts[2]
            fields.priority = parts[3]
            fields.expiration = parts[4]
            fields.collapseID = parts[5]
            fields.apnsID = parts[6]
            fields.body = parts[7]
            try body(PushRequest(fields, defaultExpirationSeconds: 1_234))
        }
    }
}
