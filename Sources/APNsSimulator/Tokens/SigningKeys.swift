internal import Cryptography

/// The keys that tokens may be signed with.
struct SigningKeys {
    /// A key with its public half read.
    struct Key {
        let teamID: String
        let keyID: String
        let environment: SimulatedEnvironment?
        let topics: [[UInt8]]
        let verifying: P256.VerifyingKey
    }

    let keys: [Key]

    /// Reads the keys.
    ///
    /// - Throws: ``SimulatorError`` that names the first key that is none.
    init(_ descriptions: [SimulatorSigningKey]) throws(SimulatorError) {
        var keys: [Key] = []
        for key in descriptions {
            do {
                keys.append(
                    Key(
                        teamID: key.teamID,
                        keyID: key.keyID,
                        environment: key.environment,
                        topics: key.topics.map { Array($0.utf8) },
                        verifying: try P256.VerifyingKey(pem: key.pem)
                    )
                )
            } catch {
                throw SimulatorError("signing key \(key.teamID):\(key.keyID): \(error)")
            }
        }
        self.keys = keys
    }

    /// Whether every well-formed token passes.
    var acceptAll: Bool { keys.isEmpty }

    /// The key that a token was signed with.
    ///
    /// - Parameter token: Any token.
    /// - Returns: The index of the key; nil where key or team are unknown or the signature is not of this key.
    func index(verifying token: WebToken) -> Int? {
        keys.indices.first { index in
            let key = keys[index]
            return key.keyID == token.keyID && key.teamID == token.teamID
                && key.verifying.isValid(signature: token.signature, of: token.signed)
        }
    }
}
