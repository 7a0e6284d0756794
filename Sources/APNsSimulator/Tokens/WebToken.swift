internal import Cryptography
internal import FoundationEssentials

/// A provider token as it is written: what it says, not whether it is true.
struct WebToken {
    /// `kid`.
    let keyID: String
    /// `iss`.
    let teamID: String
    /// `iat`.
    let issuedAtSeconds: Int64
    /// The bytes that were signed.
    let signed: [UInt8]
    /// r and s, or ASN.1 DER.
    let signature: [UInt8]

    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        let iat: Int64

        enum Key: String, CodingKey { case iss, iat }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            iss = try container.decode(String.self, forKey: .iss)
            if let number = try? container.decode(Int64.self, forKey: .iat) {
                iat = number
            } else if let number = Int64(try container.decode(String.self, forKey: .iat)) {
                iat = number
            } else {
                throw DecodingError.dataCorruptedError(forKey: .iat, in: container, debugDescription: "no number")
            }
        }
    }

    /// Reads a compact token: three parts in base64url or base64, padded or not.
    ///
    /// - Returns: Nil unless it is an ES256 token with `kid`, `iss` and `iat`, and a signature of one of the two forms.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3,
            let headerJSON = Base64.decode(Array(parts[0])), let claimsJSON = Base64.decode(Array(parts[1])),
            let signature = Base64.decode(Array(parts[2])), Self.isSignature(signature)
        else { return nil }
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: Data(headerJSON)), header.alg == "ES256",
            let claims = try? decoder.decode(Claims.self, from: Data(claimsJSON)),
            !header.kid.isEmpty, !claims.iss.isEmpty
        else { return nil }
        self.keyID = header.kid
        self.teamID = claims.iss
        self.issuedAtSeconds = claims.iat
        self.signed = Array(bytes[..<(parts[2].startIndex - 1)])
        self.signature = signature
    }

    /// Whether bytes have the form of an ES256 signature: r and s, or a DER sequence of two integers.
    private static func isSignature(_ bytes: [UInt8]) -> Bool {
        if bytes.count == P256.signatureBytes { return true }
        guard bytes.count >= 8, bytes.count <= 72, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2,
            bytes[2] == 0x02
        else { return false }
        let second = 4 + Int(bytes[3])
        return second + 1 < bytes.count && bytes[second] == 0x02 && second + 2 + Int(bytes[second + 1]) == bytes.count
    }
}
