import Cryptography

/// Provider tokens as the various clients of APNs write them.
struct TestToken {
    enum Signature { case raw, der }

    var header = #"{"alg":"ES256","kid":"KEYIDENT01"}"#
    var claims: String
    var alphabet = Base64.Alphabet.url
    var isPadded = false
    var signature = Signature.raw

    init(keyID: String = "KEYIDENT01", teamID: String = "TEAMIDENT1", iat: Int64) {
        header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        claims = #"{"iss":"\#(teamID)","iat":\#(iat)}"#
    }

    /// The compact form, signed.
    func signed(by key: P256.SigningKey) throws -> String {
        let body = encoded(Array(header.utf8)) + "." + encoded(Array(claims.utf8))
        let raw = try key.sign(Array(body.utf8))
        return body + "." + encoded(signature == .raw ? raw : Self.der(raw))
    }

    private func encoded(_ bytes: [UInt8]) -> String {
        var text = String(decoding: Base64.encode(bytes, alphabet: alphabet), as: UTF8.self)
        while isPadded, text.utf8.count % 4 != 0 { text += "=" }
        return text
    }

    /// ASN.1: a sequence of two integers.
    static func der(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        let both = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(both.count)] + both
    }
}
