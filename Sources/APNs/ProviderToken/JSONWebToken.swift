import Cryptography

/// The JSON Web Token of a provider (RFC 7515, ES256): exactly the four members that Apple lists.
enum JSONWebToken {
    /// Makes a token.
    ///
    /// - Parameters:
    ///   - identity: Team and key; letters and digits only, so that nothing is to be escaped.
    ///   - issuedAtSeconds: Its `iat`, seconds since 1970, written as a number.
    ///   - key: The key.
    /// - Returns: ASCII, a secret.
    /// - Throws: The error of OpenSSL.
    static func make(
        _ identity: ProviderIdentity,
        issuedAtSeconds: Int64,
        key: P256.SigningKey
    ) throws(OpenSSLError) -> [UInt8] {
        let header = "{\"alg\":\"ES256\",\"kid\":\"\(identity.keyID)\"}"
        let claims = "{\"iss\":\"\(identity.teamID)\",\"iat\":\(issuedAtSeconds)}"
        var token = Base64.encode(Array(header.utf8), alphabet: .url)
        token.append(UInt8(ascii: "."))
        token += Base64.encode(Array(claims.utf8), alphabet: .url)
        let signature = try key.sign(token)
        token.append(UInt8(ascii: "."))
        token += Base64.encode(signature, alphabet: .url)
        return token
    }
}
